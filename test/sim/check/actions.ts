/** What the ledger says of each call, indexed; built from facts alone. */
import type { Fact, FactOf } from '#kernel';

export interface Told {
  readonly actionId: string;
  readonly intended: FactOf<'action.intended'>;
  args: FactOf<'action.intended'>['args'];
  readonly token: string | null;
  asked: number;
  approvedBy: string | null;
  verdict: FactOf<'action.verdict'> | null;
  readonly starts: { readonly attemptId: string; readonly seq: number; readonly boot: string; revoked: boolean }[];
  outcome: FactOf<'attempt.outcome'> | null;
  /** Of a command in the background. */
  task: { readonly attemptId: string; end: FactOf<'task.ended'> | null } | null;
}

export interface Ledgered {
  readonly actions: Map<string, Told>;
  readonly byToken: Map<string, Told>;
  boot: string;
  readonly attempts: Set<string>;
}

export const emptyLedgered = (): Ledgered => ({
  actions: new Map(),
  byToken: new Map(),
  boot: '',
  attempts: new Set(),
});

const TOKEN = /T\d{4}/;

/** Adds one fact; returns what is wrong with it as a link of the chain intent → verdict → start → outcome. */
export function addFact(told: Ledgered, fact: Fact): string | null {
  switch (fact.type) {
    case 'executor.attached':
      told.boot = fact.bootId;
      return null;
    case 'action.intended': {
      if (told.actions.has(fact.actionId)) return `action ${fact.actionId} is intended twice`;
      const token = fact.problem === undefined ? (TOKEN.exec(JSON.stringify(fact.args))?.[0] ?? null) : null;
      const action: Told = {
        actionId: fact.actionId,
        intended: fact,
        args: fact.args,
        token,
        asked: 0,
        approvedBy: null,
        verdict: null,
        starts: [],
        outcome: null,
        task: null,
      };
      told.actions.set(fact.actionId, action);
      if (token !== null) told.byToken.set(token, action);
      return null;
    }
    case 'approval.requested':
      return onAction(told, fact.actionId, (action) =>
        ++action.asked > 1 ? `approval of ${fact.actionId} is asked ${action.asked} times` : null,
      );
    case 'approval.resolved':
      return onAction(told, fact.actionId, (action) => {
        if (action.approvedBy === null && action.verdict === null) action.approvedBy = `${fact.verdict}:${fact.by}`;
        return null;
      });
    case 'action.verdict':
      return onAction(told, fact.actionId, (action) => {
        if (isClosed(action)) return `${fact.actionId} gets a verdict after it was closed`;
        const again = action.verdict !== null && fact.verdict !== 'cancel';
        action.verdict = fact;
        return again ? `${fact.actionId} gets a second verdict` : null;
      });
    case 'attempt.start':
      return onAction(told, fact.actionId, (action) => started(told, action, fact));
    case 'attempt.revoked':
      return onAction(told, fact.actionId, (action) => {
        const start = action.starts.find((one) => one.attemptId === fact.attemptId);
        if (start === undefined || start.revoked) return `${fact.attemptId} is revoked without a start`;
        start.revoked = true;
        return null;
      });
    case 'attempt.outcome':
      return onAction(told, fact.actionId, (action) => {
        if (isClosed(action)) return `${fact.actionId} gets a second result`;
        action.outcome = fact;
        return null;
      });
    case 'task.started':
      return onAction(told, fact.actionId, (action) => {
        if (action.task !== null) return `${fact.actionId} is started in the background twice`;
        action.task = { attemptId: fact.attemptId, end: null };
        return action.starts.some((one) => one.attemptId === fact.attemptId && !one.revoked)
          ? null
          : `${fact.attemptId} goes on in the background without a start`;
      });
    case 'task.ended':
      return onAction(told, fact.actionId, (action) => {
        if (action.task === null) return `${fact.actionId} ends in the background without having begun`;
        if (action.task.end !== null) return `the end of ${fact.actionId} is told twice`;
        action.task.end = fact;
        return null;
      });
    default:
      return null;
  }
}

function started(told: Ledgered, action: Told, fact: FactOf<'attempt.start'>): string | null {
  if (told.attempts.has(fact.attemptId)) return `attempt ${fact.attemptId} starts twice`;
  told.attempts.add(fact.attemptId);
  if (isClosed(action)) return `${fact.attemptId} starts after its action was closed`;
  if (action.verdict?.verdict !== 'allow') return `${fact.attemptId} starts without a verdict that allows it`;
  const open = action.starts.find((one) => !one.revoked);
  action.starts.push({ attemptId: fact.attemptId, seq: fact.seq, boot: told.boot, revoked: false });
  return open === undefined ? null : `${fact.attemptId} starts while ${open.attemptId} is open`;
}

function onAction(told: Ledgered, actionId: string, change: (action: Told) => string | null): string | null {
  const action = told.actions.get(actionId);
  return action === undefined ? `there is no action ${actionId}` : change(action);
}

export const isClosed = (action: Told): boolean =>
  action.outcome !== null || (action.verdict !== null && action.verdict.verdict !== 'allow');

/** What the record says of the effect: done, not done, or left open. */
export function saysDone(action: Told): boolean | null {
  const { outcome, verdict } = action;
  const { task } = action;
  if (task !== null) {
    if (task.end?.status === 'not-started') return false;
    return task.end?.status === 'exited' && task.end.exitCode === 0 ? true : null;
  }
  if (outcome === null) {
    if (verdict === null || verdict.verdict === 'allow') return null;
    return /may have taken effect/.test(verdict.message ?? '') ? null : false;
  }
  if (outcome.status === 'succeeded') return (outcome.exitCode ?? 0) === 0 ? true : null;
  if (outcome.status === 'unknown') return null;
  if (outcome.status === 'rejected') return false;
  const kind = outcome.failure?.kind;
  if (kind === 'precondition' || kind === 'stale' || kind === 'schema' || kind === 'rejected') return false;
  return /did not (run|start)|not applied|nothing was (written|started)|given up before/.test(outcome.output)
    ? false
    : null;
}
