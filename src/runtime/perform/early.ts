/**
 * Reads that begin while the answer still streams.
 *
 * 1. Only a call whose arguments are whole, that is a pure read leaving nothing behind, that the policy allows without
 *    asking, and before which the answer has no call with an effect. With hooks, which may refuse or rewrite, none.
 * 2. Nothing of it is recorded before the answer is: then its intent, verdict, start (`early`) and outcome follow in the
 *    order of every call, and the ledger of a run that died in between is that of a run that never began early.
 * 3. What begins early is thrown away when the answer fails, is cut, or has another call in that place; when the turn
 *    pauses; and when an effect runs before the read is due.
 */
import { type Json, type OpenAction, type StreamedCall, tripped } from '#kernel';
import { canonicalJson } from '#lib';
import type { CallReport, ToolResult } from '../contract.ts';
import type { EarlyRead, Run } from '../run.ts';
import { intentOf } from './intend.ts';

/** Reads that run early at the same time. */
const EARLY_MAX = 8;

/** The reads of one answer. */
export interface EarlyReads {
  /** Takes the next whole call of the answer. */
  offer(call: StreamedCall): void;
  /** The answer is there: no more begins. The action id of the call in this place, where it began early as it is now. */
  bind(index: number, tool: string, args: Json): string | null;
  /** What the tools said of the call in this place, where they were asked about just this one already. */
  report(index: number, tool: string, args: Json): CallReport | null;
  /** The answer is not to be: what began is stopped and forgotten. */
  discard(): void;
}

export function earlyReads(run: Run): EarlyReads {
  const begun = new Map<number, EarlyRead>();
  const reports = new Map<number, { name: string; args: Json; profile: CallReport }>();
  let open = run.hooks.isEmpty();
  let offered = 0;
  let order: Promise<void> = Promise.resolve();

  async function consider({ index, name, args }: StreamedCall): Promise<void> {
    if (!open) return;
    const { tools, permission } = run.ports;
    const profile = await tools.profile(name, args);
    reports.set(index, { name, args, profile });
    if (profile.problem !== null) return;
    if (profile.effect !== 'read') {
      open = false;
      return;
    }
    if (profile.early !== true || begun.size >= EARLY_MAX || !mayBegin(run, begun.size, intentOf(run, name, args)))
      return;
    const { settings, workspace, cwd } = run.state();
    const verdict = await permission(
      { tool: name, args, effect: profile.effect, paths: profile.paths },
      {
        mode: settings.mode,
        allow: settings.allow,
        checks: settings.checks,
        workspace: workspace ?? '',
        ...(cwd === '.' ? {} : { cwd }),
        signal: run.signal,
      },
    );
    if (verdict.decision !== 'allow' || (verdict.losses ?? []).length > 0 || !open || run.signal.aborted) return;
    begun.set(index, begin(run, name, args));
  }

  return {
    offer(call) {
      // A call that is told out of its turn stands behind one that is not known yet, which may have an effect.
      if (call.index !== offered++) open = false;
      order = order.then(() => consider(call)).catch(() => {});
    },
    bind(index, tool, args) {
      open = false;
      const read = begun.get(index);
      if (read === undefined) return null;
      begun.delete(index);
      if (read.tool !== tool || canonicalJson(read.args) !== canonicalJson(args)) {
        read.stop.abort();
        return null;
      }
      run.early.set(read.actionId, read);
      return read.actionId;
    },
    report(index, tool, args) {
      const known = reports.get(index);
      const isSame = known?.name === tool && canonicalJson(known.args) === canonicalJson(args);
      return isSame ? known.profile : null;
    },
    discard() {
      open = false;
      for (const read of begun.values()) read.stop.abort();
      begun.clear();
    },
  };
}

/** A limit that the calls begun so far could reach, or a call that goes in circles, is left to the ordinary way. */
function mayBegin(run: Run, begun: number, intent: string): boolean {
  const state = run.state();
  const { turn } = state;
  if (turn === null || turn.cancelled || turn.progress.forbidden.includes(intent)) return false;
  const budget = {
    ...turn.budget,
    toolCalls: turn.budget.toolCalls + begun,
    steps: turn.budget.steps + begun,
    rounds: turn.budget.rounds + 1,
  };
  return tripped({ ...state, turn: { ...turn, budget } }, 'call') === null;
}

function begin(run: Run, tool: string, args: Json): EarlyRead {
  const actionId = run.ports.newId();
  const attemptId = `${actionId}.early`;
  const stop = new AbortController();
  const context = {
    actionId,
    attemptId,
    execFolder: '',
    bootId: run.ports.bootId,
    signal: AbortSignal.any([stop.signal, run.signal]),
    state: run.state,
    onOutput: (text: string) => run.emit({ kind: 'output', actionId, text }),
  };
  const outcome = run.ports.tools.prepare(tool, args, context).then((prepared) => {
    if (!prepared.ok) throw new Error(prepared.failure.message);
    return prepared.attempt.run();
  });
  outcome.catch(() => {});
  return { actionId, tool, args, outcome, stop };
}

/** The early result of an action that is due now, where it is still what the call asks for; it is given once. */
export function takeEarly(run: Run, action: OpenAction): Promise<ToolResult> | null {
  const read = run.early.get(action.actionId);
  if (read === undefined) return null;
  run.early.delete(action.actionId);
  const isSame = action.effect === 'read' && canonicalJson(read.args) === canonicalJson(action.args);
  if (!isSame || action.attempts > 0) {
    read.stop.abort();
    return null;
  }
  return read.outcome;
}

/** What was read before an effect, or before a pause, is not what would be read now. */
export function forgetEarly(run: Run): void {
  for (const read of run.early.values()) read.stop.abort();
  run.early.clear();
}
