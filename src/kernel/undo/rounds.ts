import type { Fact } from '../facts.ts';
import { isHidden, type Range } from './hidden.ts';

/** One answer of the model and what came of it. */
export interface Round {
  /** The first fact that belongs to it, for whoever names a round by any of its facts. */
  readonly from: number;
  /** The request: the state right before this fact is the state before the round. */
  readonly request: number;
  /** Whether anything but reading was started. */
  readonly hasEffects: boolean;
}

/** The rounds that count, in order. A user's words and a turn's start belong to the round that they lead to. */
export function roundsOf(facts: Iterable<Fact>, hidden: readonly Range[]): readonly Round[] {
  const rounds: { from: number; request: number; hasEffects: boolean }[] = [];
  let request: number | null = null;
  let prelude: number | null = null;
  for (const fact of facts) {
    if (isHidden(hidden, fact.seq)) continue;
    switch (fact.type) {
      case 'session.start':
      case 'input.received':
        prelude ??= fact.seq;
        break;
      case 'model.request':
        request = fact.seq;
        break;
      case 'model.response':
        if (request === null) break;
        rounds.push({ from: prelude === null ? request : Math.min(prelude, request), request, hasEffects: false });
        request = null;
        prelude = null;
        break;
      case 'attempt.start': {
        const last = rounds.at(-1);
        if (last !== undefined && fact.effect !== 'read') last.hasEffects = true;
        break;
      }
    }
  }
  return rounds;
}

/** The round that a fact belongs to; null where no round that counts has begun yet or ever. */
export const roundAt = (rounds: readonly Round[], seq: number): Round | null =>
  rounds.findLast((round) => round.from <= seq) ?? rounds[0] ?? null;
