import type { Fact } from '#kernel';

/** The facts that a writer appended last, kept in memory up to a limit, so that going on does not read its file. */
export interface RecentFacts {
  readonly firstSeq: number;
  /** Before anything was pushed: the first fact will have this number, all before it are in the file. */
  startAt(seq: number): void;
  /** The facts of one batch, and about how many bytes they take. */
  push(facts: readonly Fact[], bytes: number): void;
  /** From `fromSeq` to `toSeq`; what lies before `firstSeq` is not there. */
  between(fromSeq: number, toSeq: number): readonly Fact[];
}

/** Beyond `bytesMax` the older half is dropped. */
export function recentFacts(bytesMax: number): RecentFacts {
  let kept: Fact[] = [];
  let batches: { readonly count: number; readonly bytes: number }[] = [];
  let total = 0;
  let firstSeq = 1;
  return {
    get firstSeq() {
      return firstSeq;
    },
    startAt(seq) {
      firstSeq = seq;
    },
    push(facts, bytes) {
      for (const fact of facts) kept.push(fact);
      batches.push({ count: facts.length, bytes });
      total += bytes;
      if (total <= bytesMax) return;
      let dropped = 0;
      let count = 0;
      for (const batch of batches) {
        if (total <= bytesMax / 2) break;
        total -= batch.bytes;
        count += batch.count;
        dropped++;
      }
      kept = kept.slice(count);
      batches = batches.slice(dropped);
      firstSeq += count;
    },
    between: (fromSeq, toSeq) => kept.slice(Math.max(0, fromSeq - firstSeq), Math.max(0, toSeq - firstSeq + 1)),
  };
}
