/** Facts of one call: intended, asked, decided, started, closed. */
import type { FactOf } from '../facts.ts';
import { observe, observeRefusal } from '../progress.ts';
import { withSeen } from '../seen.ts';
import type { OpenAction, State } from '../state.ts';
import { type Reducers, treeUnknown, withAction, withTurn, worldChanged } from './reducer.ts';

export const actionReducers: Reducers<
  | 'action.intended'
  | 'hook.decided'
  | 'hook.failed'
  | 'hook.started'
  | 'hook.ended'
  | 'hook.said'
  | 'tools.found'
  | 'approval.requested'
  | 'approval.resolved'
  | 'action.verdict'
  | 'attempt.start'
  | 'attempt.revoked'
  | 'attempt.outcome'
  | 'unknown.settled'
> = {
  'action.intended': (state, fact) =>
    withTurn(state, (turn) => {
      const runtimeMade = fact.origin === 'runtime' && turn.phase === 'reflecting';
      const plan = turn.draft ?? turn.plan;
      const stepId = fact.stepId ?? plan?.steps[turn.open.length]?.stepId;
      if (stepId === undefined) return turn;
      const action: OpenAction = {
        actionId: fact.actionId,
        stepId,
        tool: fact.tool,
        args: fact.args,
        origin: fact.origin,
        effect: fact.effect,
        paths: fact.paths ?? null,
        intent: fact.intent,
        free: fact.free === true,
        problem: fact.problem ?? null,
        status: 'intended',
        approval: null,
        attempts: 0,
        attempt: null,
        outcome: null,
        failure: null,
        skipped: false,
      };
      if (!runtimeMade) return { ...turn, open: [...turn.open, action] };
      // A repair is a plan of one step made by the runtime; it follows the answer that it repairs.
      const steps = [{ stepId, description: 'repair' }];
      const budget = { ...turn.budget, steps: turn.budget.steps + 1 };
      const claim = { ...turn.claim, fresh: false };
      const repair = { origin: 'runtime' as const, steps };
      return { ...turn, plan: repair, cursor: 0, open: [action], started: [], ended: [], budget, claim };
    }),

  'hook.decided': (state, fact) => {
    if (fact.decision === 'review') return withTurn(state, (turn) => ({ ...turn, review: fact.reason ?? 'review' }));
    if (fact.decision === 'replan') return withTurn(state, (turn) => ({ ...turn, replan: true }));
    if (fact.decision !== 'rewrite' || fact.actionId === undefined) return state;
    return withAction(state, fact.actionId, (action) => ({
      ...action,
      args: fact.args ?? action.args,
      effect: fact.effect ?? action.effect,
      paths: fact.paths ?? action.paths,
    }));
  },

  'hook.failed': (state) => state,
  // What a hook changed is its own doing, and nobody else's.
  'hook.started': treeUnknown,
  'hook.ended': treeUnknown,
  'hook.said': (state) => state,
  'tools.found': (state) => state,

  'approval.requested': (state, fact) =>
    withAction(state, fact.actionId, (action) => ({
      ...action,
      status: 'asked',
      approval: { binding: fact.binding, by: null, note: null },
    })),

  'approval.resolved': (state, fact) =>
    withAction(state, fact.actionId, (action) =>
      action.status !== 'asked' || action.approval === null
        ? action
        : {
            ...action,
            status: fact.verdict === 'approve' ? 'approved' : 'denied',
            approval: { ...action.approval, by: fact.by, note: fact.note ?? null },
          },
    ),

  'action.verdict': (state, fact) => judged({ ...state, crashes: { ...state.crashes, progressed: true } }, fact),

  'attempt.start': (state, fact) =>
    withAction(begun(state, fact), fact.actionId, (action) => ({
      ...action,
      status: 'started',
      attempts: action.attempts + 1,
      attempt: {
        attemptId: fact.attemptId,
        executorId: fact.executorId,
        bootId: state.executor?.executorId === fact.executorId ? state.executor.bootId : null,
        base: fact.base ?? null,
        seq: fact.seq,
      },
    })),

  'attempt.revoked': (state, fact) =>
    withAction(over(state, fact), fact.actionId, (action) =>
      action.attempt?.attemptId === fact.attemptId
        ? {
            ...action,
            status: 'allowed',
            attempt: null,
            ...(fact.settling?.verdict === 'repeatable'
              ? { mayHaveRun: true, firstBase: action.firstBase ?? action.attempt.base }
              : {}),
          }
        : action,
    ),

  'attempt.outcome': (state, fact) => closed(over(state, fact), fact),

  'unknown.settled': (state, fact) => ({
    ...state,
    unknowns: state.unknowns.map((unknown) =>
      unknown.actionId === fact.actionId && unknown.answer === null ? { ...unknown, answer: fact.answer } : unknown,
    ),
  }),
};

/** A read leaves the workspace as it was; an edit is kept by what it records, a command only by a point. */
function begun(state: State, { actionId, effect }: FactOf<'attempt.start'>): State {
  if (effect === 'read') return state;
  const { world } = state;
  const underWay = world.underWay.includes(actionId) ? world.underWay : [...world.underWay, actionId];
  const isPointDue = world.isPointDue || effect !== 'file';
  return { ...state, world: { ...world, isTreeKnown: false, isPointDue, underWay } };
}

function over(state: State, { actionId }: FactOf<'attempt.outcome' | 'attempt.revoked'>): State {
  const { world } = state;
  if (!world.underWay.includes(actionId)) return state;
  const underWay = world.underWay.filter((one) => one !== actionId);
  return { ...state, world: { ...world, isTreeKnown: false, underWay } };
}

function judged(state: State, fact: FactOf<'action.verdict'>): State {
  if (fact.verdict === 'allow') {
    const action = state.turn?.open.find((open) => open.actionId === fact.actionId);
    if (action === undefined || action.status === 'closed') return state;
    const allowed = withAction(state, fact.actionId, (open) => ({ ...open, status: 'allowed' }));
    if (action.free) return allowed;
    const counted = withTurn(allowed, (turn) => ({
      ...turn,
      budget: { ...turn.budget, toolCalls: turn.budget.toolCalls + 1 },
    }));
    return { ...counted, totals: { ...counted.totals, toolCalls: counted.totals.toolCalls + 1 } };
  }
  const refused = state.turn?.open.find((open) => open.actionId === fact.actionId && open.status !== 'closed');
  const next = withAction(state, fact.actionId, (open) => ({
    ...open,
    status: 'closed',
    outcome: fact.verdict === 'cancel' ? 'cancelled' : 'rejected',
    skipped: fact.verdict === 'skip',
  }));
  if (refused === undefined || fact.verdict !== 'deny') return next;
  return withTurn(next, (turn) => ({ ...turn, progress: observeRefusal(turn.progress, refused, fact, state.ts) }));
}

function closed(state: State, fact: FactOf<'attempt.outcome'>): State {
  const action = state.turn?.open.find((open) => open.actionId === fact.actionId);
  if (action === undefined) return orphaned(state, fact);
  if (action.status === 'closed') return state;
  let next = withAction(state, fact.actionId, (open) => ({
    ...open,
    status: 'closed',
    outcome: fact.status,
    failure: fact.failure ?? null,
  }));
  if (fact.files?.some((file) => file.base !== file.result) === true) next = worldChanged(next, fact.seq);
  if (fact.seen !== undefined) next = withSeen(next, fact.seen);
  if (fact.cwd !== undefined) next = { ...next, cwd: fact.cwd };
  const success = fact.status === 'succeeded' && (fact.exitCode ?? 0) === 0 && !action.free;
  if (success) next = { ...next, sinceTodos: [...next.sinceTodos.slice(-19), fact.actionId] };
  if (fact.status === 'unknown') {
    const unknown = { actionId: fact.actionId, tool: action.tool, answer: null, seq: fact.seq };
    next = { ...next, unknowns: [...next.unknowns, unknown] };
  }
  next = withTurn(next, (turn) => ({ ...turn, progress: observe(turn.progress, action, fact, state.ts) }));
  return { ...next, crashes: { ...next.crashes, progressed: true } };
}

/** Damage took what the call belongs to: it is a question all the same. */
function orphaned(state: State, { actionId, status, settling, data, seq }: FactOf<'attempt.outcome'>): State {
  const isAsked = status === 'unknown' && settling?.probe === 'record';
  if (!isAsked || state.unknowns.some((unknown) => unknown.actionId === actionId)) return state;
  const told = typeof data === 'object' && data !== null && 'tool' in data ? data.tool : undefined;
  const tool = typeof told === 'string' ? told : 'call';
  return { ...state, unknowns: [...state.unknowns, { actionId, tool, answer: null, seq }] };
}
