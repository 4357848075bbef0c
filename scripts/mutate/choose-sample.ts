import { createHash } from 'node:crypto';

/**
 * `size` of the items, the same ones for the same seed. Each is chosen by its own key, so that a change of the others
 * leaves the choice as it is.
 */
export function chooseSample<T>(
  items: readonly T[],
  size: number,
  { seed, keyOf }: { readonly seed: number; readonly keyOf: (item: T) => string },
): readonly T[] {
  const placeOf = (item: T): string =>
    createHash('sha256')
      .update(`${seed}\0${keyOf(item)}`)
      .digest('hex');
  return items
    .map((item) => ({ item, place: placeOf(item) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .slice(0, size)
    .map(({ item }) => item);
}
