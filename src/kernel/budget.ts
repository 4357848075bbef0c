/**
 * Budgets are a yield: a limit that is reached pauses the turn, the caller extends and goes on. A limit is checked
 * only when its resource is about to be consumed, so work that is finished at exactly the limit is finished.
 */
import type { State } from './state.ts';

export type LimitName = 'turns' | 'tool_calls' | 'wall_clock' | 'rounds' | 'tokens' | 'cost';

export interface Trip {
  readonly limit: LimitName;
  readonly used: number;
  readonly max: number;
}

/** The first limit that forbids what comes next, in order of precedence; null when all is within. */
export function tripped(state: State, about: 'round' | 'step' | 'call'): Trip | null {
  const use = state.turn?.budget;
  if (use === undefined) return null;
  const { limits } = state.settings;
  const running = state.turn?.started.length ?? 0;
  const trips: (Trip | null)[] = [];
  if (about !== 'round') trips.push(over('turns', use.steps + running, limits.maxSteps));
  if (about === 'call') trips.push(over('tool_calls', use.toolCalls, limits.maxToolCalls));
  trips.push(over('wall_clock', use.elapsedMs, limits.maxElapsedMs));
  if (about === 'round') {
    trips.push(over('rounds', use.rounds, limits.maxRounds));
    trips.push(over('tokens', use.tokens, limits.maxTokens));
    trips.push(over('cost', use.costUsd, limits.maxCostUsd));
  }
  return trips.find((trip) => trip !== null) ?? null;
}

function over(limit: LimitName, used: number, max: number | undefined): Trip | null {
  return max !== undefined && used >= max ? { limit, used, max } : null;
}
