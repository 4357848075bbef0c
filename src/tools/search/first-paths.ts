/**
 * The first `max` of many texts in order, without sorting the rest: a list of fifty thousand files is shown by its
 * first two hundred.
 */
export function firstInOrder(texts: Iterable<string>, max: number): { first: readonly string[]; count: number } {
  let kept: string[] = [];
  let bound: string | null = null;
  let count = 0;
  for (const text of texts) {
    count++;
    if (bound !== null && text >= bound) continue;
    kept.push(text);
    if (kept.length >= max + 2000) {
      kept = kept.sort(byCodeUnits).slice(0, max);
      bound = kept.at(-1) ?? null;
    }
  }
  return { first: kept.sort(byCodeUnits).slice(0, max), count };
}

export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
