import { seededPrng } from '#lib';

/** `size` of the items, the same ones for the same seed. */
export function chooseSample<T>(items: readonly T[], size: number, seed: number): readonly T[] {
  const prng = seededPrng(seed);
  return items
    .map((item) => ({ item, at: prng.next() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, size)
    .map(({ item }) => item);
}
