import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffDelayMs } from '#model';

it('doubles, with the full delay at random 0 and half of it at random 1', () => {
  expect([1, 2, 3, 4].map((attempt) => backoffDelayMs(attempt, 0))).toEqual([1000, 2000, 4000, 8000]);
  expect(backoffDelayMs(3, 1)).toBe(2000);
});

it('stays within its cap and never waits less than the provider asked, up to ten minutes', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(),
      (attempt, random, asked) => {
        expect(backoffDelayMs(attempt, random)).toBeGreaterThanOrEqual(500);
        expect(backoffDelayMs(attempt, random)).toBeLessThanOrEqual(60_000);
        expect(backoffDelayMs(attempt, random, asked)).toBeGreaterThanOrEqual(Math.min(asked, 600_000));
        expect(backoffDelayMs(attempt, random, asked)).toBeLessThanOrEqual(600_000);
      },
    ),
  );
});
