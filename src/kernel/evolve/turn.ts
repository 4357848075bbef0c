/** Facts of a turn: its phases, plans, model calls, pauses and end. */

import { tasksRunning, testsRun } from '../completion.ts';
import type { FactOf } from '../facts.ts';
import { transition } from '../phases.ts';
import { type Evidence, freshTurn, noProgress, type Plan, type State, type Turn } from '../state.ts';
import { move, type Reducers, withTurn } from './reducer.ts';

export const turnReducers: Reducers<
  | 'session.start'
  | 'plan.draft'
  | 'plan.commit'
  | 'phase.enter'
  | 'model.request'
  | 'model.response'
  | 'model.failed'
  | 'backoff.ended'
  | 'step.start'
  | 'step.end'
  | 'completion.verdict'
  | 'progress.signal'
  | 'budget.warn'
  | 'session.pause'
  | 'session.resume'
  | 'session.complete'
> = {
  'session.start': (state, fact) => {
    if (state.turn !== null && state.turn.phase !== 'done') return state;
    const phase = transition('idle', 'planning');
    if (!phase.ok) return state;
    return { ...state, turn: { ...freshTurn(fact.turnId, fact.goal, fact.planner), phase: phase.value } };
  },

  'plan.draft': (state, fact) => withTurn(state, (turn) => ({ ...turn, draft: { origin: 'list', steps: fact.steps } })),

  'plan.commit': (state, fact) =>
    withTurn(state, (turn) => {
      const plan: Plan = { origin: 'list', steps: fact.steps };
      return move({ ...adopt(turn, plan), planRevision: fact.revision, replan: false, retry: null }, 'executing');
    }),

  'phase.enter': (state, fact) =>
    withTurn(state, (turn) => {
      const moved = move(turn, fact.to);
      if (moved === turn) return turn;
      if (turn.phase === 'planning' && turn.draft !== null) return adopt(moved, turn.draft);
      return turn.phase === 'reflecting' ? leaveSteps(moved) : moved;
    }),

  'model.request': (state, fact) => {
    const asked = withTurn(state, (turn) => ({
      ...turn,
      request: { requestId: fact.requestId, seq: fact.seq },
      unheard: 0,
      claim: { ...turn.claim, fresh: false },
    }));
    return { ...asked, totals: { ...asked.totals, unpricedRequests: asked.totals.unpricedRequests + 1 } };
  },

  'model.response': (state, fact) => answered(state, fact),

  'model.failed': (state, fact) =>
    withTurn(state, (turn) => ({
      ...turn,
      request: null,
      retry: { failure: fact.failure, count: (turn.retry?.count ?? 0) + 1, waited: false },
      retries: { ...turn.retries, [fact.failure.kind]: (turn.retries[fact.failure.kind] ?? 0) + 1 },
    })),

  'backoff.ended': (state) =>
    withTurn(state, (turn) => (turn.retry === null ? turn : { ...turn, retry: { ...turn.retry, waited: true } })),

  'step.start': (state, fact) => withTurn(state, (turn) => ({ ...turn, started: [...turn.started, fact.stepId] })),

  'step.end': (state, fact) =>
    withTurn(state, (turn) => {
      const ended = { ...turn, ended: [...turn.ended, fact.stepId] };
      return fact.outcome === 'awaiting_tool' && turn.phase === 'executing' ? move(ended, 'awaiting_tool') : ended;
    }),

  'completion.verdict': (state, fact) => {
    const asked = fact.reason === tasksRunning;
    const tasks = asked ? state.tasks.map((task) => ({ ...task, wasAskedAbout: true })) : state.tasks;
    return withTurn({ ...state, tasks }, (turn) => ({
      ...turn,
      claim: {
        // A verdict after a repair judges the same claim again; one about tasks says nothing against the claim.
        count: turn.claim.count + (turn.plan?.origin === 'runtime' || asked ? 0 : 1),
        fresh: true,
        verdict: {
          accepted: fact.accepted,
          reason: fact.reason,
          verified: typeof fact.verified === 'boolean' ? fact.verified : null,
          seq: fact.seq,
        },
      },
    }));
  },

  'progress.signal': (state, fact) =>
    withTurn(state, (turn) => ({
      ...turn,
      progress: {
        ...noProgress,
        dearestTokens: turn.progress.dearestTokens,
        signals: turn.progress.signals + (turn.progress.isTold ? 0 : 1),
        isTold: true,
        forbidden: fact.forbid === undefined ? turn.progress.forbidden : [...turn.progress.forbidden, fact.forbid],
      },
    })),

  'budget.warn': (state, fact) =>
    withTurn(state, (turn) => ({ ...turn, budget: { ...turn.budget, warned: fact.limit } })),

  'session.pause': (state, fact) =>
    withTurn(state, (turn) => {
      const moved = move(turn, 'idle');
      if (moved === turn) return turn;
      const pause = {
        reason: fact.reason,
        from: turn.phase,
        seq: fact.seq,
        message: fact.message ?? null,
        next: fact.next ?? null,
      };
      return { ...moved, pause, review: null };
    }),

  'session.resume': (state, fact) => {
    const turn = state.turn;
    if (turn === null || turn.pause === null) return state;
    const moved = move(turn, fact.to);
    if (moved === turn) return state;
    const { reason } = turn.pause;
    const crashes = reason === 'handoff:crash_loop' ? { ...state.crashes, count: 0 } : state.crashes;
    const agreed = (evidence: Evidence): Evidence => ({ ...evidence, mostRun: testsRun(evidence.counts) });
    const evidence = reason === 'handoff:unverified' ? state.evidence.map(agreed) : state.evidence;
    return { ...state, crashes, evidence, turn: { ...afterPause(moved), pause: null } };
  },

  'session.complete': (state, fact) => {
    const turn = state.turn;
    if (turn === null) return state;
    const moved = move(turn.phase === 'reflecting' ? leaveSteps(turn) : turn, 'done');
    if (moved.phase !== 'done') return state;
    return { ...state, turns: state.turns + 1, turn: { ...moved, outcome: fact.reason, request: null, draft: null } };
  },
};

function adopt(turn: Turn, plan: Plan): Turn {
  const open = plan.origin === 'model' ? turn.open : [];
  return { ...turn, plan, draft: null, cursor: 0, open, started: [], ended: [] };
}

/** Leaves the steps that are over: cursor and step count advance, closed actions are let go. */
function leaveSteps(turn: Turn): Turn {
  const steps = turn.plan?.steps ?? [];
  const closed = new Set(turn.open.filter((action) => action.status === 'closed').map((action) => action.stepId));
  const waiting = new Set(turn.open.filter((action) => action.status !== 'closed').map((action) => action.stepId));
  let cursor = turn.cursor;
  for (let step = steps[cursor]; step !== undefined; step = steps[cursor]) {
    if (waiting.has(step.stepId)) break;
    if (!closed.has(step.stepId) && !turn.ended.includes(step.stepId)) break;
    cursor++;
  }
  const left = cursor - turn.cursor;
  const gone = new Set(steps.slice(turn.cursor, cursor).map((step) => step.stepId));
  return {
    ...turn,
    cursor,
    open: turn.open.filter((action) => !gone.has(action.stepId)),
    started: turn.started.filter((id) => !gone.has(id)),
    ended: turn.ended.filter((id) => !gone.has(id)),
    budget: { ...turn.budget, steps: turn.budget.steps + left },
  };
}

function answered(state: State, fact: FactOf<'model.response'>): State {
  const calls = fact.parts.filter((part) => part.kind === 'call');
  const text = fact.parts
    .filter((part) => part.kind === 'text')
    .map((part) => part.text ?? '')
    .join('');
  const empty = calls.length === 0 && text.trim() === '';
  const count = Math.max(calls.length, 1);
  const steps = Array.from({ length: count }, (_, i) => ({
    stepId: `${fact.seq}.${i + 1}`,
    description: calls.length === 0 ? 'answer' : 'call',
  }));
  const { usage } = fact;
  const known = usage.inputTokens !== undefined || usage.outputTokens !== undefined;
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  const told = withTurn(state, (turn) => ({
    ...turn,
    request: null,
    retry: null,
    open: [],
    draft: empty ? null : { origin: 'model', steps },
    emptyAnswers: empty ? turn.emptyAnswers + 1 : 0,
    finalText: calls.length === 0 && !empty ? text : null,
    progress: { ...turn.progress, isTold: false, spentTokens: turn.progress.spentTokens + tokens },
    budget: {
      ...turn.budget,
      rounds: turn.budget.rounds + 1,
      tokens: turn.budget.tokens + tokens,
      costUsd: turn.budget.costUsd + (fact.costUsd ?? 0),
    },
  }));
  return {
    ...told,
    crashes: { ...told.crashes, progressed: true },
    totals: {
      ...told.totals,
      rounds: told.totals.rounds + 1,
      inputTokens: told.totals.inputTokens + (usage.inputTokens ?? 0),
      outputTokens: told.totals.outputTokens + (usage.outputTokens ?? 0),
      cachedInputTokens: told.totals.cachedInputTokens + (usage.cachedInputTokens ?? 0),
      costUsd: told.totals.costUsd + (fact.costUsd ?? 0),
      unpricedRequests: told.totals.unpricedRequests - (known ? 1 : 0),
    },
  };
}

/** What a pause of each kind gives back when it is over. */
function afterPause(turn: Turn): Turn {
  const reason = turn.pause?.reason ?? '';
  if (reason.startsWith('budget_exceeded:')) {
    return {
      ...turn,
      budget: { rounds: 0, steps: 0, toolCalls: 0, elapsedMs: 0, tokens: 0, costUsd: 0, warned: null },
    };
  }
  if (reason.startsWith('handoff:') || reason.startsWith('failure:')) {
    const claim = { ...turn.claim, count: 0, fresh: false };
    return { ...turn, retry: null, retries: {}, emptyAnswers: 0, claim, progress: noProgress };
  }
  return turn;
}
