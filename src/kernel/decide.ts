/**
 * `decide(state) → Next`: pure and total. Every prefix of every ledger has exactly one safe next action.
 *
 * 1. An attempt that another executor started and nobody closed is reconciled before anything else of its group.
 * 2. An approval is asked with no call open; a call never overtakes an earlier one it conflicts with.
 * 3. A limit pauses only before its resource is consumed.
 * 4. Only an accepted verdict, a cancel, or an empty plan ends a turn.
 */
import { assertNever } from '#lib';
import { type Trip, tripped } from './budget.ts';
import { conflicts } from './conflict.ts';
import type { Failure, Phase } from './facts.ts';
import type { Next } from './next.ts';
import { progressLimits, stalled } from './progress.ts';
import type { OpenAction, State, Turn } from './state.ts';

/** Calls of one response that may run at the same time. */
const PARALLEL_MAX = 8;
/** Tries of one model request, the first included; every try is one request on the wire. */
const TRIES_MAX = 6;
/** Failures of one kind in one turn: a provider that fails every other request must not eat the turn. */
const RETRIES_OF_A_KIND_MAX = 20;
/** Attachments in a row that died without achieving anything. */
const CRASHES_MAX = 3;

export function decide(state: State): Next {
  const { turn } = state;
  if (turn === null) return { kind: 'finish', turn: false };
  switch (turn.phase) {
    case 'done':
      return { kind: 'finish', turn: true };
    case 'idle':
      return whilePaused(state, turn);
    case 'planning':
      return turn.cancelled ? cancelledEnd(turn) : (crashLoop(state) ?? planning(state, turn));
    case 'executing':
      return turn.cancelled ? { kind: 'windDown' } : (crashLoop(state) ?? executing(state, turn));
    case 'awaiting_tool':
      return awaitingTool(state, turn);
    case 'reflecting':
      return turn.cancelled ? cancelledEnd(turn) : (crashLoop(state) ?? reflecting(state, turn));
    default:
      return assertNever(turn.phase);
  }
}

/** An answer that was complete just before the cancel, or the rest of a plan, may have left calls that never run. */
const cancelledEnd = (turn: Turn): Next =>
  turn.open.some((open) => open.status !== 'closed') ? { kind: 'windDown' } : { kind: 'complete', reason: 'cancelled' };

function whilePaused(state: State, turn: Turn): Next {
  const pause = turn.pause;
  if (pause === null) return { kind: 'finish', turn: false };
  const resume: Next = { kind: 'resume', to: pause.from };
  if (turn.cancelled) return resume;
  const [kind, id] = splitReason(pause.reason);
  if (kind === 'approval') {
    const action = turn.open.find((open) => open.actionId === id);
    return action?.status === 'asked' ? { kind: 'awaitApproval', actionId: id } : resume;
  }
  if (kind === 'unknown') {
    return state.unknowns.some((unknown) => unknown.answer === null) ? { kind: 'pause', reason: pause.reason } : resume;
  }
  if (kind === 'handoff' || kind === 'failure') {
    return { kind: 'handoff', reason: pause.reason, message: pause.message ?? '', next: pause.next ?? '' };
  }
  return { kind: 'pause', reason: pause.reason };
}

function planning(state: State, turn: Turn): Next {
  if (turn.draft !== null) return { kind: 'commit' };
  const retry = turn.retry;
  if (retry !== null && !retry.waited) {
    const ofItsKind = turn.retries[retry.failure.kind] ?? 0;
    const spent = retry.count >= TRIES_MAX || ofItsKind >= RETRIES_OF_A_KIND_MAX;
    if (!retry.failure.retryable || spent) return failed(retry.failure, Math.max(retry.count, ofItsKind));
    return { kind: 'backoff', failures: retry.count, retryAfterMs: retry.failure.retryAfterMs ?? null };
  }
  if (turn.emptyAnswers >= 2) return { kind: 'complete', reason: 'no_plan' };
  if (turn.review !== null) return review(turn.review);
  const trip = tripped(state, 'round');
  return trip === null ? { kind: 'callModel' } : overBudget(trip);
}

function executing(state: State, turn: Turn): Next {
  const steps = turn.plan?.steps ?? [];
  const group: OpenAction[] = [];
  let finished = 0;
  let index = turn.cursor;
  for (; index < steps.length; index++) {
    const step = steps[index];
    if (step === undefined) break;
    const action = turn.open.find((open) => open.stepId === step.stepId);
    if (action?.status === 'closed' || (action === undefined && turn.ended.includes(step.stepId))) finished++;
    else if (action?.status === 'allowed') group.push(action);
    else break;
  }
  const step = steps[index];
  const action = step === undefined ? undefined : turn.open.find((open) => open.stepId === step.stepId);
  if (group.length > 0) {
    const joins =
      step !== undefined &&
      action !== undefined &&
      action.status === 'intended' &&
      turn.plan?.origin === 'model' &&
      group.length < PARALLEL_MAX &&
      turn.review === null &&
      tripped(state, 'call') === null &&
      !group.some((earlier) => conflicts(earlier, action));
    if (joins) return { kind: 'authorize', stepId: step.stepId, forbidden: isForbidden(turn, action) };
    return { kind: 'handOver', actionIds: group.map((open) => open.actionId) };
  }
  if (finished > 0 || step === undefined) return { kind: 'reflect' };
  if (action?.status === 'asked') {
    return {
      kind: 'suspend',
      reason: `approval:${action.actionId}`,
      message: `${action.tool} needs an approval`,
      next: 'approve or deny it, then resume',
      trip: null,
    };
  }
  if (turn.review !== null) return review(turn.review);
  const isCall = action !== undefined || step.tool !== undefined;
  const alreadyStarted = turn.started.includes(step.stepId);
  if (!alreadyStarted || isCall) {
    const trip = tripped(withoutStarted(state, step.stepId), isCall && action?.free !== true ? 'call' : 'step');
    if (trip !== null) return overBudget(trip);
  }
  if (!isCall) return { kind: 'work', stepId: step.stepId };
  return { kind: 'authorize', stepId: step.stepId, forbidden: action !== undefined && isForbidden(turn, action) };
}

function awaitingTool(state: State, turn: Turn): Next {
  const mine = state.executor?.executorId ?? null;
  const started = turn.open.filter((open) => open.status === 'started');
  // After a cancel nothing that was started is called "did not run" before the world was asked, whoever started it.
  const left = turn.cancelled ? started : started.filter((open) => open.attempt?.executorId !== mine);
  if (left.length > 0) return { kind: 'reconcile', actionIds: left.map((open) => open.actionId) };
  if (turn.cancelled && turn.open.some((open) => open.status !== 'closed')) return { kind: 'windDown' };
  const crash = crashLoop(state);
  if (crash !== null) return crash;
  const waiting = turn.open.filter((open) => open.status === 'allowed' && turn.ended.includes(open.stepId));
  const ours = waiting.filter((open) => open.effect !== 'host');
  if (ours.length > 0) return { kind: 'execute', actionIds: ours.map((open) => open.actionId) };
  if (started.length > 0) return { kind: 'reconcile', actionIds: started.map((open) => open.actionId) };
  if (waiting.length > 0) return { kind: 'awaitTool', actionIds: waiting.map((open) => open.actionId) };
  return { kind: 'reflect' };
}

function reflecting(state: State, turn: Turn): Next {
  const unknown = state.unknowns.find((candidate) => candidate.answer === null);
  if (unknown !== undefined) {
    return {
      kind: 'suspend',
      reason: `unknown:${unknown.actionId}`,
      message: `it is not known whether ${unknown.tool} took effect`,
      next: 'look at the evidence, then settle it: applied, not-applied or unknown',
      trip: null,
    };
  }
  const finding = stalled(state);
  if (finding !== null) return { kind: 'signal', finding };
  if (turn.progress.signals >= progressLimits.signals) {
    return handoff(
      'no_progress',
      'the work goes in circles: warnings did not change the approach',
      'say what to do differently and resume',
    );
  }
  if (turn.review !== null) return review(turn.review);
  if (turn.replan) return { kind: 'advance', to: 'planning' };
  if (stepsRemain(turn)) return { kind: 'advance', to: 'executing' };
  if (turn.plan?.origin === 'model' && turn.finalText === null) return { kind: 'advance', to: 'planning' };
  if (turn.unheard > 0 && turn.plan?.origin !== 'list') return { kind: 'advance', to: 'planning' };
  return claimed(turn);
}

/** The plan is used up and the work claims to be done. */
function claimed(turn: Turn): Next {
  const { count, fresh, verdict } = turn.claim;
  if (!fresh || verdict === null) return { kind: 'verify' };
  if (verdict.accepted) return { kind: 'complete', reason: 'goal_met' };
  if (turn.plan?.origin === 'list') return unverified();
  if (count >= 3) return unverified();
  if (count === 2 && verdict.reason === 'missing_evidence' && turn.plan?.origin === 'model') return { kind: 'repair' };
  return { kind: 'advance', to: 'planning' };
}

const unverified = (): Next =>
  handoff(
    'unverified',
    'the declared checks do not stand behind the claim of being done',
    'look at the check output, say what to do and resume',
  );

function stepsRemain(turn: Turn): boolean {
  const steps = turn.plan?.steps ?? [];
  for (let index = turn.cursor; index < steps.length; index++) {
    const step = steps[index];
    if (step === undefined) return false;
    const action = turn.open.find((open) => open.stepId === step.stepId);
    if (action === undefined ? !turn.ended.includes(step.stepId) : action.status !== 'closed') return true;
  }
  return false;
}

const isForbidden = (turn: Turn, action: OpenAction): boolean => turn.progress.forbidden.includes(action.intent);

/** A step that was started before a pause is not counted against its own limit again. */
function withoutStarted(state: State, stepId: string): State {
  if (state.turn === null || !state.turn.started.includes(stepId)) return state;
  return { ...state, turn: { ...state.turn, started: state.turn.started.filter((id) => id !== stepId) } };
}

function overBudget(trip: Trip): Next {
  return {
    kind: 'suspend',
    reason: `budget_exceeded:${trip.limit}`,
    message: `the limit of ${trip.limit} is reached (${trip.used} of ${trip.max}${unitOf(trip.limit)})`,
    next: 'raise the limit if you want, then resume: the work goes on where it stopped',
    trip,
  };
}

const unitOf = (limit: Trip['limit']): string => (limit === 'wall_clock' ? ' ms' : limit === 'cost' ? ' USD' : '');

function review(reason: string): Next {
  return { kind: 'suspend', reason, message: 'a hook asked for a review', next: 'resume when reviewed', trip: null };
}

function failed(failure: Failure, tries: number): Next {
  const times = tries > 1 ? ` (${tries} tries)` : '';
  return {
    kind: 'suspend',
    reason: `failure:${failure.kind}`,
    message: `${failure.message}${times}`,
    next: failure.suggestedAction,
    trip: null,
  };
}

function handoff(kind: string, message: string, next: string): Next {
  return { kind: 'suspend', reason: `handoff:${kind}`, message, next, trip: null };
}

function crashLoop(state: State): Next | null {
  if (state.crashes.count < CRASHES_MAX || state.crashes.progressed) return null;
  const at = state.crashes.suspect === null ? '' : `; the last fact before was number ${state.crashes.suspect}`;
  return handoff(
    'crash_loop',
    `${state.crashes.count} runs in a row died without any progress${at}`,
    'look at what kills the run, then resume',
  );
}

export function splitReason(reason: string): readonly [kind: string, rest: string] {
  const at = reason.indexOf(':');
  return at < 0 ? [reason, ''] : [reason.slice(0, at), reason.slice(at + 1)];
}

/** The phase a pause can be resumed to, or null when nothing is paused. */
export const resumableTo = (state: State): Phase | null => state.turn?.pause?.from ?? null;
