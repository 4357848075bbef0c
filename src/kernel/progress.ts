/**
 * Progress, measured from the world. A signal forbids the action that goes in circles and asks for another strategy;
 * when that does not help, the turn is handed off. Polling is not a loop: equal observations count only when they
 * follow one another quickly.
 */
import type { FactOf } from './facts.ts';
import { signatureOf } from './failure.ts';
import type { OpenAction, Progress, State } from './state.ts';

export const progressLimits = {
  /** Equal calls with equal observations in a row. */
  repeats: 5,
  /** The same error signature in a row, whatever was called. */
  failureRepeats: 6,
  /** Signals without a change of the workspace before the turn is handed off. */
  signals: 3,
  /** Equal observations in a row, whatever was called. Short ones ("no match") are no observation to speak of. */
  sameObservations: 8,
  observationCharsMin: 40,
  /** Calls with effects without any change of the workspace. */
  idleEffects: 40,
  /** Calls while the todo list stands still. */
  idleTodos: 60,
  /** Tokens for one result: this many times the dearest one so far, and at least so many. */
  dearerFactor: 6,
  spentTokensMin: 200_000,
  /** Two equal observations further apart than this are polling. */
  pollingMs: 10_000,
} as const;

export function observe(
  progress: Progress,
  action: OpenAction,
  fact: FactOf<'attempt.outcome'>,
  lastTs: number,
): Progress {
  const observation = `${fact.status}\n${fact.exitCode ?? ''}\n${fact.output}`;
  const same = progress.lastIntent === action.intent && progress.lastObservation === observation;
  const polling = fact.ts - lastTs > progressLimits.pollingMs;
  const failed = fact.status === 'failed' || (fact.exitCode ?? 0) !== 0;
  const signature = failed ? (fact.failure?.signature ?? signatureOf(fact.output.slice(-400))) : null;
  return {
    ...progress,
    lastIntent: action.intent,
    lastObservation: observation,
    repeats: same && !polling ? progress.repeats + 1 : 1,
    failureSignature: signature,
    failureRepeats: signature === null ? 0 : signature === progress.failureSignature ? progress.failureRepeats + 1 : 1,
    sameObservations: sameAgain(progress, observation, fact.output, polling),
    idleEffects: touchesFiles(action) ? progress.idleEffects + 1 : progress.idleEffects,
    idleTodos: progress.idleTodos + 1,
  };
}

const touchesFiles = ({ effect }: OpenAction): boolean =>
  effect === 'process' || effect === 'file' || effect === 'opaque';

function sameAgain(progress: Progress, observation: string, output: string, polling: boolean): number {
  if (polling || output.length < progressLimits.observationCharsMin) return 0;
  return progress.lastObservation === observation ? progress.sameObservations + 1 : 1;
}

/** Something came of the work: what it cost is the measure of the next result. */
export const afterResult = (progress: Progress): Progress => ({
  ...progress,
  spentTokens: 0,
  dearestTokens: Math.max(progress.dearestTokens, progress.spentTokens),
});

/** A call that was refused shows its refusal. Only the very same call counts: several calls may meet one rule. */
export function observeRefusal(
  progress: Progress,
  action: OpenAction,
  fact: FactOf<'action.verdict'>,
  lastTs: number,
): Progress {
  const observation = `${fact.verdict}\n${fact.reason ?? ''}`;
  const same = progress.lastIntent === action.intent && progress.lastObservation === observation;
  const polling = fact.ts - lastTs > progressLimits.pollingMs;
  return {
    ...progress,
    lastIntent: action.intent,
    lastObservation: observation,
    repeats: same && !polling ? progress.repeats + 1 : 1,
  };
}

export interface ProgressFinding {
  readonly signal:
    | 'repeated_call'
    | 'repeated_failure'
    | 'same_observation'
    | 'unchanged_workspace'
    | 'plan_stands_still'
    | 'cost_rises';
  readonly count: number;
  readonly detail: string;
  /** Intent that may not run again. */
  readonly forbid: string | null;
}

/** What the last observations say; null while the work moves on. */
export function stalled(state: State): ProgressFinding | null {
  const progress = state.turn?.progress;
  if (progress === undefined) return null;
  if (progress.repeats >= progressLimits.repeats) {
    return {
      signal: 'repeated_call',
      count: progress.repeats,
      detail: 'the same call was made again and again and showed the same result',
      forbid: progress.lastIntent,
    };
  }
  if (progress.failureRepeats >= progressLimits.failureRepeats) {
    return {
      signal: 'repeated_failure',
      count: progress.failureRepeats,
      detail: `the same error came back: ${progress.failureSignature ?? ''}`,
      forbid: progress.lastIntent,
    };
  }
  return slowSignal(state, progress);
}

/** Signals that forbid nothing: they tell the model that its way leads nowhere. */
function slowSignal(state: State, progress: Progress): ProgressFinding | null {
  const { sameObservations, idleEffects, idleTodos, spentTokens, dearestTokens } = progress;
  if (sameObservations >= progressLimits.sameObservations) {
    return finding('same_observation', sameObservations, 'different calls keep showing the same text');
  }
  // Where nobody looks at a workspace, nothing can be said about its changes.
  if (state.world.tree !== null && idleEffects >= progressLimits.idleEffects) {
    return finding('unchanged_workspace', idleEffects, 'many commands ran and the workspace did not change');
  }
  if (state.todos.length > 0 && idleTodos >= progressLimits.idleTodos) {
    return finding('plan_stands_still', idleTodos, 'many calls were made and no todo moved');
  }
  const dear = Math.max(progressLimits.spentTokensMin, progressLimits.dearerFactor * dearestTokens);
  if (spentTokens >= dear) {
    return finding('cost_rises', spentTokens, 'the tokens spent since the last result keep growing');
  }
  return null;
}

const finding = (signal: ProgressFinding['signal'], count: number, detail: string): ProgressFinding => ({
  signal,
  count,
  detail,
  forbid: null,
});
