import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  boundedQueue,
  canonicalJson,
  fieldMisfits,
  int,
  isSessionId,
  type Json,
  json,
  list,
  makeId,
  misfits,
  obj,
  oneOf,
  opt,
  record,
  seededPrng,
  str,
} from '#lib';

test.each([
  [str, 1, ['/: expected a string']],
  [int, 1.5, ['/: expected a whole number']],
  [int, 2 ** 60, ['/: expected a whole number']],
  [oneOf('a', 'b'), 'c', ['/: expected one of a, b']],
  [list(int), [1, 'x'], ['/1: expected a whole number']],
  [record(str), { a: 1 }, ['/a: expected a string']],
  [obj({ a: str, b: opt(int) }), { a: 'x' }, []],
  [obj({ a: str }), { b: 1 }, ['/a: missing', '/b: unknown field']],
  [obj({ a: obj({ b: int }) }), { a: { b: 'x' } }, ['/a/b: expected a whole number']],
  [json, { a: [() => 1] }, ['/: expected a JSON value']],
  [json, Number.NaN, ['/: expected a JSON value']],
  [obj({}), [], ['/: expected an object']],
  [obj({}), null, ['/: expected an object']],
])('a shape names every misfit with its path', (shape, value, expected) => {
  expect(misfits(shape, value)).toEqual(expected);
});

test('a value that is nested without end is no JSON value', () => {
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  expect(fieldMisfits({ a: json }, { a: loop })).toEqual(['/a: expected a JSON value']);
});

test('canonical JSON does not depend on the order of keys and reads back as the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value as Json);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        expect(canonicalJson(Object.fromEntries(Object.entries(value).reverse()) as Json)).toBe(text);
      }
    }),
  );
});

test('ids have one form, and equal seeds give equal ids', () => {
  const ids = (seed: number) => {
    const prng = seededPrng(seed);
    return Array.from({ length: 50 }, () => makeId(prng.fill));
  };
  expect(ids(1)).toEqual(ids(1));
  expect(new Set([...ids(1), ...ids(2)]).size).toBe(100);
  expect(ids(3).every((id) => /^[0-9a-hjkmnp-tv-z]{16}$/.test(id) && isSessionId(id))).toBe(true);
});

test.each([
  ['a', true],
  ['A-1_b.c', true],
  ['', false],
  ['.', false],
  ['..', false],
  ['a/b', false],
  ['-x', false],
  ['a b', false],
  ['é', false],
  ['x'.repeat(65), false],
])('%j may name a session: %s', (text, expected) => {
  expect(isSessionId(text)).toBe(expected);
});

test('a slow consumer loses the oldest items and learns how many', async () => {
  const queue = boundedQueue<number>(3);
  for (let i = 1; i <= 5; i++) queue.push(i);
  queue.end();
  queue.push(6);
  const got: number[] = [];
  for await (const item of queue) got.push(item);
  expect(got).toEqual([3, 4, 5]);
  expect(queue.dropped).toBe(2);
});
