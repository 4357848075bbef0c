/** Middle value of a list; of an even number the mean of the two in the middle. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2;
}

/** Smallest value; Infinity for an empty list. */
export const least = (values: readonly number[]): number => Math.min(...values);
