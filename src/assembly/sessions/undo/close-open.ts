/**
 * Before anything is undone, nothing may be left that could still start: what is under way is settled, and every call
 * that has not started is closed. A verdict given for it earlier starts nothing any more.
 */
import type { FactBody, FactOf, OpenAction } from '#kernel';
import { ok, type Result } from '#lib';
import { closedWords, reconcile, type Settler } from '#runtime';
import type { Problem } from '#surfaces/cli';
import { isAttemptAlive } from '#workspace';
import { execPort } from '../../ports/exec-port.ts';
import { problem } from '../../problem.ts';
import type { Desk } from './desk.ts';

/** Refused while a command is alive: what it does next could not be undone. */
export async function settleStarted(desk: Desk): Promise<Result<null, Problem>> {
  const started = (desk.state().turn?.open ?? []).filter((action) => action.status === 'started');
  const exec = execPort(desk.folder);
  for (const { attempt, tool } of started) {
    if (attempt !== null && isAttemptAlive(exec.folder(attempt.attemptId))) {
      return problem(
        42,
        `a command of this session still runs (${tool}); resume the session or wait for its end, then undo`,
      );
    }
  }
  for (const { attemptId, command } of desk.state().tasks) {
    if (isAttemptAlive(exec.folder(attemptId))) {
      return problem(42, `a background command of this session still runs (${command}); stop it, then undo`);
    }
  }
  for (const { attemptId, hook } of hooksAtWork(desk)) {
    if (isAttemptAlive(exec.folder(attemptId))) {
      return problem(42, `a hook of this session still runs (${hook}); wait for its end, then undo`);
    }
  }
  // Most undos find nothing that was left open, and do without the tools.
  if (started.length > 0) await settle(desk, started);
  return ok(null);
}

/** As a resume settles: with the same parts, so that what is recorded of it is the same. */
async function settle(desk: Desk, started: readonly OpenAction[]): Promise<void> {
  const [{ createMasker }, { sessionTools }] = await Promise.all([
    import('#permission'),
    import('../session-tools.ts'),
  ]);
  const { folder, ledger, place, signal } = desk;
  const masker = createMasker(desk.env);
  const { port, mask } = sessionTools({ workspace: place.workspace, folder, ledger, masker });
  const settler: Settler = {
    ports: { ledger, tools: mask.tools(port), world: desk.world, exec: execPort(folder), bootId: desk.bootId },
    signal,
    state: desk.state,
    emit: () => {},
    // Folders whose outcome is recorded go with the next opening.
    finished: new Set(),
    scanWanted: false,
  };
  const ids = started.map(({ actionId }) => actionId);
  for await (const { facts } of reconcile(settler, ids)) await desk.append(facts);
  signal.throwIfAborted();
}

function hooksAtWork(desk: Desk): readonly FactOf<'hook.started'>[] {
  const running = new Map<string, FactOf<'hook.started'>>();
  for (const fact of desk.facts()) {
    if (fact.type === 'hook.started') running.set(fact.attemptId, fact);
    if (fact.type === 'hook.ended') running.delete(fact.attemptId);
  }
  return [...running.values()];
}

/** The facts that close every call that waits; the turn itself goes on. */
export function cancelWaiting(desk: Desk): readonly FactBody[] {
  const { turn } = desk.state();
  if (turn === null || turn.phase === 'done') return [];
  return turn.open
    .filter((action) => action.status !== 'closed' && action.status !== 'started')
    .flatMap((action): FactBody[] => {
      const { actionId, stepId, status } = action;
      const message = closedWords('The user undid the work at this point', action, turn);
      return [
        status === 'allowed'
          ? { type: 'attempt.outcome', actionId, status: 'cancelled', output: message }
          : { type: 'action.verdict', actionId, verdict: 'cancel', by: 'person', message },
        ...(turn.started.includes(stepId) && !turn.ended.includes(stepId)
          ? [{ type: 'step.end' as const, stepId, outcome: 'error' as const }]
          : []),
      ];
    });
}

/** The facts that end a turn whose very beginning is undone. The turn is paused. */
export function endTurn(desk: Desk): readonly FactBody[] {
  const { turn } = desk.state();
  const from = turn?.pause?.from;
  if (turn === null || turn.phase === 'done' || from === undefined) return [];
  return [
    { type: 'session.resume', to: from, reason: 'undone' },
    ...(from === 'executing' || from === 'awaiting_tool'
      ? [{ type: 'phase.enter' as const, to: 'reflecting' as const, reason: 'undone' }]
      : []),
    { type: 'session.complete', reason: 'cancelled' },
  ];
}
