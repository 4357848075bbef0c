/**
 * Calls whose end the ledger can not tell any more, because the record was damaged or the session was brought here
 * from elsewhere. Nothing may be run again on the strength of what is missing: each becomes a question.
 */
import { fold } from './evolve.ts';
import type { Fact, FactBody, FactOf } from './facts.ts';
import { isActive } from './phases.ts';
import type { OpenAction, State, Task } from './state.ts';

/** An attempt whose effect has begun, as what it left in the session's folder says. */
export interface BegunAttempt {
  readonly attemptId: string;
  /** Processes of it that live. */
  readonly pids: readonly number[];
}

/**
 * After a repair: every call that may have been under way at the last lost fact. A read may run again, and a call that
 * later facts speak of is as they say. So is one that had begun and belongs to nothing any more, because the damage took
 * what it belongs to: its turn, its answer or its intent; and one of which no fact knows that it began, though `begun`
 * says so.
 */
export function closeAfterRepair(facts: readonly Fact[], begun: readonly BegunAttempt[] = []): readonly FactBody[] {
  const lastLost = facts.findLast((fact) => fact.type === 'record.lost')?.seq ?? 0;
  const told = new Map<string, number>();
  for (const fact of facts) if ('actionId' in fact && fact.actionId !== undefined) told.set(fact.actionId, fact.seq);
  const wasOpen = (action: OpenAction) => (told.get(action.actionId) ?? 0) < lastLost;
  const hooks = lostHooks(facts.filter(({ seq, type }) => seq < lastLost || type === 'hook.ended'));
  const state = fold(facts);
  const lost = orphans(facts, state).map(({ actionId, attemptId }) => {
    const observed = 'the record of what it belongs to was damaged';
    return unknownOutcome(actionId, attemptId, withLiving(observed, actionId, begun), toolOf(facts, actionId));
  });
  const observed = (actionId: string) => withLiving('the record of this call was damaged', actionId, begun);
  const open = closing(facts, wasOpen, 'repaired', observed, 'the ledger was damaged and repaired');
  const unnamed = withoutRecord(facts, begun, [...lost, ...open]).map(({ actionId, attemptId }) =>
    unknownOutcome(actionId, attemptId, observed(actionId), toolOf(facts, actionId)),
  );
  return [...hooks, ...lost, ...unnamed, ...open];
}

/** Attempts of which every fact is gone, with their calls. A hook has no place in its id for a call. */
function withoutRecord(facts: readonly Fact[], begun: readonly BegunAttempt[], told: readonly FactBody[]) {
  const named = new Set<string>();
  for (const fact of facts) if ('attemptId' in fact && fact.attemptId !== undefined) named.add(fact.attemptId);
  const asked = new Set(told.map((body) => ('actionId' in body ? body.actionId : undefined)));
  return begun.flatMap(({ attemptId }) => {
    const actionId = callOf(attemptId);
    return actionId === null || named.has(attemptId) || asked.has(actionId) ? [] : [{ actionId, attemptId }];
  });
}

/** The id of an attempt begins with that of its call. */
const callOf = (attemptId: string): string | null => /^([^.]+)\../.exec(attemptId)?.[1] ?? null;

/** Whoever is asked must know that it is still at work. */
function withLiving(observed: string, actionId: string, begun: readonly BegunAttempt[]): string {
  const pids = begun.filter(({ attemptId }) => callOf(attemptId) === actionId).flatMap((one) => one.pids);
  if (pids.length === 0) return observed;
  const what = `${pids.length === 1 ? 'process' : 'processes'} ${pids.join(', ')}`;
  return `${observed}; it was still running at the repair (${what})`;
}

function toolOf(facts: readonly Fact[], actionId: string): string | undefined {
  const intent = facts.find((fact) => fact.type === 'action.intended' && fact.actionId === actionId);
  return intent?.type === 'action.intended' ? intent.tool : undefined;
}

/** Attempts without an end that no turn knows of. Another request to the model shows that all before it had ended. */
function orphans(facts: readonly Fact[], { turn }: State): readonly FactOf<'attempt.start'>[] {
  const begun = new Map<string, FactOf<'attempt.start'>>();
  for (const fact of facts) {
    if (fact.type === 'model.request') begun.clear();
    if (fact.type === 'attempt.start' && fact.effect !== 'read' && fact.effect !== 'host')
      begun.set(fact.actionId, fact);
    if (fact.type === 'attempt.outcome' || fact.type === 'attempt.revoked') begun.delete(fact.actionId);
  }
  const known = new Set(turn?.open.map(({ actionId }) => actionId));
  return [...begun.values()].filter(({ actionId }) => !known.has(actionId));
}

/** After an import: every call that had begun where the session came from, for its claim did not come along. */
export function closeAfterImport(facts: readonly Fact[]): readonly FactBody[] {
  const hadBegun = (action: OpenAction) => action.status === 'started';
  const lost = lostTasks(fold(facts).tasks, 'it ran where the session was before');
  return lost.concat(
    lostHooks(facts),
    closing(
      facts,
      hadBegun,
      'imported',
      () => 'it was under way elsewhere',
      'the session was brought here from elsewhere',
    ),
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
  observed: (actionId: string) => string,
  message: string,
): readonly FactBody[] {
  const { turn } = fold(facts);
  if (turn === null) return [];
  const bodies: FactBody[] = [];
  for (const action of turn.open) {
    if (action.status === 'closed' || action.effect === 'read' || action.effect === 'host' || !isLost(action)) continue;
    bodies.push(unknownOutcome(action.actionId, action.attempt?.attemptId, observed(action.actionId)));
  }
  if (isActive(turn.phase)) {
    const next = 'look at what it says (belay log), then resume';
    bodies.push({ type: 'session.pause', reason: `handoff:${kind}`, from: turn.phase, message, next });
  }
  return bodies;
}

/** `tool`: of a call of which the state may know nothing. */
const unknownOutcome = (
  actionId: string,
  attemptId: string | undefined,
  observed: string,
  tool?: string,
): FactBody => ({
  type: 'attempt.outcome',
  actionId,
  ...(attemptId === undefined ? {} : { attemptId }),
  status: 'unknown',
  output: `It is not known whether this call ran or how it ended: ${observed}. Look at the present state; do not assume either.`,
  data: { evidence: observed, ...(tool === undefined ? {} : { tool }) },
  provenance: 'reconciled',
  settling: { probe: 'record', observed, verdict: 'unknown' },
});
