/**
 * The facts of a fork: those of the session it comes from, number by number, with identities of its own. Nothing that
 * is under way there is under way here: a key, a claim or a question of the other session is never answered twice.
 */
import { type Fact, type FactBody, fold, isActive, lostHooks, lostTasks, mayHaveRun, type State } from '#kernel';

export interface Origin {
  readonly sessionId: string;
  /** The last fact that both share. */
  readonly at: number;
}

/** `facts` end with fact `at`. The first one becomes the fork's own `session.created`. */
export function copyFacts(
  facts: readonly Fact[],
  origin: Origin,
  created: { readonly sessionId: string; readonly workspace: string; readonly version: string; fileSystem: string },
  newId: () => string,
): readonly FactBody[] {
  const fresh = new Map<string, string>();
  for (const fact of facts) {
    for (const id of idsOf(fact)) if (ID.test(id) && !fresh.has(id)) fresh.set(id, newId());
  }
  return facts.map((fact): FactBody => {
    const { seq: _seq, ts: _ts, ...body } = fact;
    if (body.type === 'session.created') {
      return { type: 'session.created', ...created, parent: { sessionId: origin.sessionId, seq: origin.at } };
    }
    const text = JSON.stringify(body).replace(WORD, (word) => fresh.get(word) ?? word);
    return JSON.parse(text) as FactBody;
  });
}

const ID = /^[0-9a-z]{16}$/;
/** Ids also stand inside of others (attempts, pauses) and in what the model was told, so whole words are replaced. */
const WORD = /(?<![0-9a-z])[0-9a-z]{16}(?![0-9a-z])/g;

function idsOf(fact: Fact): readonly string[] {
  switch (fact.type) {
    case 'action.intended':
      return [fact.actionId];
    case 'session.start':
      return [fact.turnId];
    case 'model.request':
      return [fact.requestId];
    case 'hook.started':
      return [fact.attemptId];
    case 'undo.planned':
      return [fact.undoId];
    default:
      return [];
  }
}

const lostMessage = 'The session was forked while this call was open; what became of it is not known here.';
const unstartedMessage =
  'The session was forked before this call started, so it did not run; an approval of it does not pass to a fork. Make the call again if it is still needed.';

/** The facts that close what the copied ones left open. The turn is paused and can go on. */
export function closingFacts(copied: readonly FactBody[], state: State): readonly FactBody[] {
  const facts: FactBody[] = [
    ...lostTasks(state.tasks, 'it ran in the session that this one was forked from'),
    ...lostHooks(copied),
  ];
  const { turn } = state;
  let waited = false;
  for (const action of turn?.open ?? []) {
    const { actionId, stepId, status } = action;
    if (turn === null || status === 'closed') continue;
    const message = mayHaveRun(action, turn) ? lostMessage : unstartedMessage;
    if (status === 'started' || status === 'allowed') {
      facts.push({ type: 'attempt.outcome', actionId, status: 'cancelled', output: message });
    } else {
      waited = true;
      facts.push({ type: 'action.verdict', actionId, verdict: 'cancel', by: 'runtime', reason: 'forked', message });
    }
    if (turn?.started.includes(stepId) && !turn.ended.includes(stepId)) {
      facts.push({ type: 'step.end', stepId, outcome: 'error' });
    }
  }
  // What the pause waited for is closed, so here it is another pause.
  const stale = waited ? (turn?.pause ?? null) : null;
  if (stale !== null) facts.push({ type: 'session.resume', to: stale.from, reason: 'forked' });
  const from = stale?.from ?? turn?.phase;
  if (from !== undefined && isActive(from) && (stale !== null || turn?.pause === null)) {
    const message = 'the session was forked here';
    facts.push({ type: 'session.pause', reason: 'interrupted', from, message });
  }
  const { pending } = state.undo;
  if (pending !== null) {
    const refused = pending.files.map(({ path }) => ({ path, why: 'the session was forked meanwhile' }));
    facts.push({ type: 'undo.done', undoId: pending.undoId, scope: pending.scope, restored: [], refused });
  }
  if (state.executor !== null) {
    facts.push({ type: 'executor.detached', executorId: state.executor.executorId, reason: 'forked' });
  }
  return facts;
}

/** The state after the copied facts, as the fork will fold it. */
export const stateOf = (bodies: readonly FactBody[]): State =>
  fold(bodies.map((body, i) => ({ ...body, seq: i + 1, ts: 0 }) as Fact));
