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
  /** Two equal observations further apart than this are polling. */
  pollingMs: 10_000,
} as const;

export function observe(
  progress: Progress,
  action: OpenAction,
  fact: FactOf<'attempt.outcome'>,
  lastTs: number,
): Progress {
  const observation = fingerprintOf(`${fact.status}\n${fact.exitCode ?? ''}\n${fact.output}`);
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
  };
}

/** A call that was refused shows its refusal. Only the very same call counts: several calls may meet one rule. */
export function observeRefusal(
  progress: Progress,
  action: OpenAction,
  fact: FactOf<'action.verdict'>,
  lastTs: number,
): Progress {
  const observation = fingerprintOf(`${fact.verdict}\n${fact.reason ?? ''}`);
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
  readonly signal: 'repeated_call' | 'repeated_failure';
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
  return null;
}

/** 53-bit hash of a text (cyrb53); equality of observations, no security. */
function fingerprintOf(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}
