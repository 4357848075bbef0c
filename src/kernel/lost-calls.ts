/**
 * Calls whose end the ledger can not tell any more, because the record was damaged or the session was brought here
 * from elsewhere. Nothing may be run again on the strength of what is missing: each becomes a question.
 */
import { fold } from './evolve.ts';
import type { Fact, FactBody } from './facts.ts';
import { isActive } from './phases.ts';
import type { OpenAction, Task } from './state.ts';

/**
 * After a repair: every call that may have been under way at the last lost fact. A read may run again, and a call that
 * later facts speak of is as they say.
 */
export function closeAfterRepair(facts: readonly Fact[]): readonly FactBody[] {
  const lastLost = facts.findLast((fact) => fact.type === 'record.lost')?.seq ?? 0;
  const told = new Map<string, number>();
  for (const fact of facts) if ('actionId' in fact && fact.actionId !== undefined) told.set(fact.actionId, fact.seq);
  const wasOpen = (action: OpenAction) => (told.get(action.actionId) ?? 0) < lastLost;
  const hooks = lostHooks(facts.filter(({ seq, type }) => seq < lastLost || type === 'hook.ended'));
  return hooks.concat(
    closing(facts, wasOpen, 'repaired', 'the record of this call was damaged', 'the ledger was damaged and repaired'),
  );
}

/** After an import: every call that had begun where the session came from, for its claim did not come along. */
export function closeAfterImport(facts: readonly Fact[]): readonly FactBody[] {
  const hadBegun = (action: OpenAction) => action.status === 'started';
  const lost = lostTasks(fold(facts).tasks, 'it ran where the session was before');
  return lost.concat(
    lostHooks(facts),
    closing(facts, hadBegun, 'imported', 'it was under way elsewhere', 'the session was brought here from elsewhere'),
  );
}

/** Background commands of which nothing is here: their end cannot be known. */
export const lostTasks = (tasks: readonly Task[], reason: string): readonly FactBody[] =>
  tasks.map(({ actionId }) => ({
    type: 'task.ended',
    actionId,
    status: 'unknown',
    output: '',
    outputBytes: 0,
    reason,
  }));

/** Commands of hooks whose end is not recorded: here nothing can tell it. What waits for their answer asks them again. */
export function lostHooks(facts: Iterable<FactBody>): readonly FactBody[] {
  const running = new Map<string, FactBody>();
  for (const fact of facts) {
    if (fact.type === 'hook.ended') running.delete(fact.attemptId);
    if (fact.type !== 'hook.started') continue;
    const { attemptId, invocationId } = fact;
    running.set(attemptId, { type: 'hook.ended', attemptId, invocationId, status: 'unknown', output: '' });
  }
  return [...running.values()];
}

function closing(
  facts: readonly Fact[],
  isLost: (action: OpenAction) => boolean,
  kind: string,
  observed: string,
  message: string,
): readonly FactBody[] {
  const { turn } = fold(facts);
  if (turn === null) return [];
  const bodies: FactBody[] = [];
  for (const action of turn.open) {
    if (action.status === 'closed' || action.effect === 'read' || action.effect === 'host' || !isLost(action)) continue;
    bodies.push({
      type: 'attempt.outcome',
      actionId: action.actionId,
      ...(action.attempt === null ? {} : { attemptId: action.attempt.attemptId }),
      status: 'unknown',
      output: `It is not known whether this call ran or how it ended: ${observed}. Look at the present state; do not assume either.`,
      data: { evidence: observed },
      provenance: 'reconciled',
      settling: { probe: 'record', observed, verdict: 'unknown' },
    });
  }
  if (isActive(turn.phase)) {
    const next = 'look at what it says (belay log), then resume';
    bodies.push({ type: 'session.pause', reason: `handoff:${kind}`, from: turn.phase, message, next });
  }
  return bodies;
}
