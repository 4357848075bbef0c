/**
 * As much of vitest as the quick tests of a room use, so that a process can run them a thousand times: a test is a
 * function in a list, and the first wrong expectation throws.
 */
import { AssertionError } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import * as fastCheck from 'fast-check';

export const fc = fastCheck;

export interface SmallTest {
  readonly name: string;
  readonly run: () => unknown;
}
/** Tests of the files that were loaded since the list was emptied. */
export const collected: SmallTest[] = [];
const path: string[] = [];

type Body = (...args: readonly never[]) => unknown;
type Rows = readonly unknown[];
const argsOf = (row: unknown): readonly never[] => (Array.isArray(row) ? row : [row]) as unknown[] as never[];

function define(name: string, run: () => unknown): void {
  collected.push({ name: [...path, name].join(' > '), run });
}
export const it = Object.assign(define, {
  each: (rows: Rows) => (name: string, body: Body) => {
    rows.forEach((row, i) => {
      define(`${name} [${i}]`, () => body(...argsOf(row)));
    });
  },
});
/** Properties run few times, from the same seed: this looks for faults in the tests, not for rare inputs. */
export const test = Object.assign(define, {
  each: it.each,
  prop: (arbitraries: readonly fastCheck.Arbitrary<never>[]) => (name: string, body: Body) =>
    define(name, () => {
      const property = fastCheck.asyncProperty(fastCheck.tuple(...arbitraries), async (values) => {
        const held = await body(...values);
        if (held === false) throw new Error('the property does not hold');
      });
      return fastCheck.assert(property, { seed: 7, numRuns: 60, endOnFailure: true });
    }),
});

const group = (name: string, body: () => void): void => {
  path.push(name);
  body();
  path.pop();
};
export const describe = Object.assign(group, {
  each: (rows: Rows) => (name: string, body: Body) => {
    rows.forEach((row, i) => {
      group(`${name} [${i}]`, () => void body(...argsOf(row)));
    });
  },
});

class Pattern {
  readonly fits: (value: unknown) => boolean;
  constructor(fits: (value: unknown) => boolean) {
    this.fits = fits;
  }
}

/** Whether a value is what was expected; `part`: further properties of objects do not count. */
function fits(value: unknown, expected: unknown, part: boolean): boolean {
  if (expected instanceof Pattern) return expected.fits(value);
  if (expected === null || typeof expected !== 'object') return Object.is(value, expected);
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(expected)) {
    return (
      Array.isArray(value) && value.length === expected.length && expected.every((one, i) => fits(value[i], one, part))
    );
  }
  if (Object.getPrototypeOf(expected) !== Object.prototype) return isDeepStrictEqual(value, expected);
  const [has, wants] = [value as { readonly [key: string]: unknown }, expected as { readonly [key: string]: unknown }];
  const keys = new Set(Object.keys(wants));
  if (!part) for (const key of Object.keys(has)) if (has[key] !== undefined) keys.add(key);
  return [...keys].every((key) => fits(has[key], wants[key], part));
}

function includes(value: unknown, part: unknown): boolean {
  return typeof value === 'string' ? value.includes(String(part)) : (value as readonly unknown[]).includes(part);
}

const matchers = {
  toBe: (value: unknown, expected: unknown) => Object.is(value, expected),
  toEqual: (value: unknown, expected: unknown) => fits(value, expected, false),
  toStrictEqual: (value: unknown, expected: unknown) => isDeepStrictEqual(value, expected),
  toMatchObject: (value: unknown, expected: unknown) => fits(value, expected, true),
  toContain: includes,
  toContainEqual: (value: unknown, part: unknown) =>
    (value as readonly unknown[]).some((one) => fits(one, part, false)),
  toMatch: (value: unknown, expected: unknown) =>
    expected instanceof RegExp ? expected.test(String(value)) : includes(value, expected),
  toBeNull: (value: unknown) => value === null,
  toBeUndefined: (value: unknown) => value === undefined,
  toBeDefined: (value: unknown) => value !== undefined,
  toHaveLength: (value: unknown, expected: unknown) => (value as { readonly length: number }).length === expected,
  toBeGreaterThan: (value: unknown, expected: unknown) => (value as number) > (expected as number),
  toBeGreaterThanOrEqual: (value: unknown, expected: unknown) => (value as number) >= (expected as number),
  toBeLessThan: (value: unknown, expected: unknown) => (value as number) < (expected as number),
  toBeLessThanOrEqual: (value: unknown, expected: unknown) => (value as number) <= (expected as number),
};
type Matchers = { readonly [Name in keyof typeof matchers]: (expected?: unknown) => void };

const asserting = (value: unknown, wanted: boolean): Matchers =>
  Object.fromEntries(
    Object.entries(matchers).map(([name, holds]) => [
      name,
      (expected?: unknown) => {
        if (holds(value, expected) !== wanted) {
          throw new AssertionError({ message: `${wanted ? '' : 'not '}${name}`, actual: value, expected });
        }
      },
    ]),
  ) as Matchers;

export const expect = Object.assign(
  (value: unknown, _message?: string): Matchers & { readonly not: Matchers } => ({
    ...asserting(value, true),
    not: asserting(value, false),
  }),
  {
    stringContaining: (part: string) => new Pattern((value) => typeof value === 'string' && value.includes(part)),
    stringMatching: (part: RegExp) => new Pattern((value) => typeof value === 'string' && part.test(value)),
    objectContaining: (part: object) => new Pattern((value) => fits(value, part, true)),
    arrayContaining: (part: readonly unknown[]) =>
      new Pattern((value) => Array.isArray(value) && part.every((one) => value.some((has) => fits(has, one, false)))),
    anything: () => new Pattern((value) => value !== null && value !== undefined),
  },
);
