import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/field-cases.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\| [A-Z]\d\d /.test(line));

test('every row of the page of field cases names a test that exists', () => {
  const missing = rows.flatMap((row) => {
    const named = [...row.matchAll(/`(test\/[^`]+\.test\.ts)`(?:: ([^;|(]+))?/g)];
    if (named.length === 0) return [`${row}: no test is named`];
    return named.flatMap(([, file = '', title = '']) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return text.includes(title.trim()) ? [] : [`${file} has no test called ${title}`];
    });
  });
  expect(missing).toEqual([]);
});

/** Groups of which every case is shown, with their size. */
const whole = { A: 31, B: 39, C: 27 };
/** Cases of groups that later parts complete. */
const some = { G: [1, 2, 3, 4, 6, 7, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23] };

test('no case is left out or told twice, and at most one in ten is shown by its mechanism', () => {
  const names = rows.map((row) => row.slice(2, 5));
  const numbers = (letter: string, all: readonly number[]) => all.map((n) => `${letter}${String(n).padStart(2, '0')}`);
  const expected = [
    ...Object.entries(whole).flatMap(([letter, size]) =>
      numbers(
        letter,
        Array.from({ length: size }, (_, i) => i + 1),
      ),
    ),
    ...Object.entries(some).flatMap(([letter, all]) => numbers(letter, all)),
  ];
  expect(expected.filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  expect(rows.filter((row) => row.includes('*mechanism*')).length).toBeLessThanOrEqual(names.length / 10);
});
