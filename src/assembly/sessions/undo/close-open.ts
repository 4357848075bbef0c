/**
 * Before anything is undone, nothing may be left that could still start: what is under way is settled, and every call
 * that has not started is closed. A verdict given for it earlier starts nothing any more.
 */
import type { FactBody, FactOf, OpenAction } from '#kernel';
import { messageOf, ok, type Result } from '#lib';
import type { ToolResult } from '#runtime';
import type { Problem } from '#surfaces/cli';
import { isAttemptAlive } from '#workspace';
import { execPort } from '../../ports/exec-port.ts';
import { toolsPort } from '../../ports/tools-port.ts';
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
  for (const action of started) await desk.append(await settleOne(desk, action));
  return ok(null);
}

function hooksAtWork(desk: Desk): readonly FactOf<'hook.started'>[] {
  const running = new Map<string, FactOf<'hook.started'>>();
  for (const fact of desk.facts()) {
    if (fact.type === 'hook.started') running.set(fact.attemptId, fact);
    if (fact.type === 'hook.ended') running.delete(fact.attemptId);
  }
  return [...running.values()];
}

async function settleOne(desk: Desk, action: OpenAction): Promise<readonly FactBody[]> {
  const { actionId, attempt } = action;
  if (attempt === null) return [];
  const { attemptId } = attempt;
  if (action.effect === 'read') return [{ type: 'attempt.revoked', attemptId, actionId }];
  // Most undos find nothing that was left open, and do without the tools.
  const { createRegistry, createTools } = await import('#tools');
  const tools = toolsPort(createRegistry(createTools(desk.place.workspace)));
  const settled = await tools
    .settle(action.tool, action.args, attempt.base, {
      actionId,
      attemptId,
      signal: new AbortController().signal,
      state: desk.state,
      execFolder: execPort(desk.folder).folder(attemptId),
      bootId: attempt.bootId ?? desk.bootId,
      onOutput: () => {},
    })
    .catch((thrown: unknown) => unknownEnd(messageOf(thrown)));
  if (settled.state === 'not-started') return [{ type: 'attempt.revoked', attemptId, actionId }];
  const { facts = [], full: _full, attachments: _shown, provenance = 'reconciled', ...outcome } = settled.outcome;
  return [{ type: 'attempt.outcome', actionId, attemptId, ...outcome, provenance }, ...facts];
}

const unknownEnd = (message: string): { readonly state: 'settled'; readonly outcome: ToolResult } => ({
  state: 'settled',
  outcome: { status: 'unknown', output: `It could not be found out whether this call took effect: ${message}` },
});

const closedMessage = 'The user undid the work at this point; this call did not run.';

/** The facts that close every call that waits; the turn itself goes on. */
export function cancelWaiting(desk: Desk): readonly FactBody[] {
  const { turn } = desk.state();
  if (turn === null || turn.phase === 'done') return [];
  return turn.open
    .filter((action) => action.status !== 'closed' && action.status !== 'started')
    .flatMap(({ actionId, stepId, status }): FactBody[] => [
      status === 'allowed'
        ? { type: 'attempt.outcome', actionId, status: 'cancelled', output: closedMessage }
        : { type: 'action.verdict', actionId, verdict: 'cancel', by: 'person', message: closedMessage },
      ...(turn.started.includes(stepId) && !turn.ended.includes(stepId)
        ? [{ type: 'step.end' as const, stepId, outcome: 'error' as const }]
        : []),
    ]);
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
