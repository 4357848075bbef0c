import type { TestCounts } from '#kernel';

export const makeCounts = (passed: number, failed: number, skipped: number): TestCounts => ({
  passed,
  failed,
  skipped,
  total: passed + failed + skipped,
});

/** `3 passed, 1 failed` as numbers by word; words that are not asked for do no harm. */
export function numbersByWord(text: string): (word: string) => number {
  const found = new Map<string, number>();
  for (const [, number, word] of text.matchAll(/(\d+) ([a-z]+)/g)) found.set(word as string, Number(number));
  return (word) => found.get(word) ?? 0;
}
