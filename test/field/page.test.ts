import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/field-cases.md'), 'utf8');
const rows = page.split('\n').filter((line) => /^\| [A-Z]\d\d /.test(line));

test('every row of the page of field cases names a test that exists', () => {
  const missing = rows.flatMap((row) => {
    if (row.includes('*waits* for')) return [];
    const named = [...row.matchAll(/`(test\/[^`]+\.test\.ts)`(?:: ([^;|(]+))?/g)];
    if (named.length === 0) return [`${row}: no test is named`];
    return named.flatMap(([, file = '', title = '']) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return text.includes(title.trim()) ? [] : [`${file} has no test called ${title}`];
    });
  });
  expect(missing).toEqual([]);
});

test('a test of this folder carries the name of its case', () => {
  const nameless = rows.flatMap((row) => {
    const files = [...row.matchAll(/`(test\/field\/[^`]+\.test\.ts)`/g)].map(([, file = '']) => file);
    const isNamed = files.some((file) => readFileSync(path.join(root, file), 'utf8').includes(row.slice(2, 5)));
    return files.length === 0 || isNamed ? [] : [row];
  });
  expect(nameless).toEqual([]);
});

/** Groups of which every case is on the page, with their size. */
const whole = { A: 31, B: 39, C: 27, D: 40, G: 23 };

test('no case is left out or told twice, and few are shown by their mechanism or wait', () => {
  const names = rows.map((row) => row.slice(2, 5));
  const expected = Object.entries(whole).flatMap(([letter, size]) =>
    Array.from({ length: size }, (_, i) => `${letter}${String(i + 1).padStart(2, '0')}`),
  );
  expect(expected.filter((name) => !names.includes(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
  const marked = (mark: string) => rows.filter((row) => row.includes(mark)).map((row) => row.slice(2, 5));
  expect(marked('*mechanism*').length).toBeLessThanOrEqual(names.length / 10);
  expect(marked('*waits*')).toEqual(['G05', 'G08', 'G09', 'G10', 'D29', 'D31', 'D32', 'D35']);
});
