import { describe, expect, test } from 'vitest';
import { least, median } from '../../bench/measure/statistics.ts';
import { isWithin, judged, type Reading } from '../../bench/row.ts';

describe('figures', () => {
  test.each([
    [[3], 3],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
    [[], Number.NaN],
  ])('the median of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  test('the least of several', () => {
    expect(least([3, 1, 2])).toBe(1);
  });

  const reading: Reading = { name: 'row', unit: 'ms', belay: 6, baseline: 2, bound: 3 };
  test.each([
    ['a ratio at its bound', reading, 3, true],
    ['a ratio above it', { ...reading, belay: 6.1 }, 3.05, false],
    ['a count', { ...reading, belay: 3, baseline: null }, 3, true],
  ])('%s is judged', (_name, given, value, within) => {
    expect(judged(given)).toBeCloseTo(value);
    expect(isWithin(given)).toBe(within);
  });

  test('what could not be measured is no success', () => {
    expect(isWithin({ ...reading, belay: Number.NaN })).toBe(false);
  });
});
