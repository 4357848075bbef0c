/**
 * Keeps the first `max` of many texts in order, without sorting the rest: a list of fifty thousand files is shown by its
 * first two hundred. Texts may come in any order, and are counted.
 */
export function keepFirst(max: number): { add(text: string): void; first(): readonly string[]; count(): number } {
  let kept: string[] = [];
  let bound: string | null = null;
  let count = 0;
  const cut = () => {
    kept = kept.sort(byCodeUnits).slice(0, max);
  };
  return {
    add(text) {
      count++;
      if (bound !== null && text >= bound) return;
      kept.push(text);
      if (kept.length < max + 2000) return;
      cut();
      bound = kept.at(-1) ?? null;
    },
    first() {
      cut();
      return kept;
    },
    count: () => count,
  };
}

export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
