import type { Fact } from '#kernel';

/** The last facts of a ledger, kept in memory up to a limit, so that projecting a session does not read its file. */
export interface RecentFacts {
  readonly firstSeq: number;
  push(fact: Fact, bytes: number): void;
  /** From `fromSeq`, which must not lie before `firstSeq`, to `toSeq`. */
  between(fromSeq: number, toSeq: number): readonly Fact[];
}

/** `bytesMax` counts stored bytes; beyond it the older half is dropped. */
export function recentFacts(bytesMax: number): RecentFacts {
  let facts: Fact[] = [];
  let sizes: number[] = [];
  let total = 0;
  let firstSeq = 1;
  return {
    get firstSeq() {
      return firstSeq;
    },
    push(fact, bytes) {
      facts.push(fact);
      sizes.push(bytes);
      total += bytes;
      if (total <= bytesMax) return;
      let drop = 0;
      while (total > bytesMax / 2 && drop < facts.length) total -= sizes[drop++] as number;
      facts = facts.slice(drop);
      sizes = sizes.slice(drop);
      firstSeq += drop;
    },
    between: (fromSeq, toSeq) => facts.slice(Math.max(0, fromSeq - firstSeq), Math.max(0, toSeq - firstSeq + 1)),
  };
}
