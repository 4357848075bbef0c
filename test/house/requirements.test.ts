import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenPromises } from '../../scripts/docs/requirements.ts';
import { testTitles } from '../../scripts/docs/test-titles.ts';

let root: string;
let titles: ReadonlyMap<string, readonly string[]>;

beforeAll(() => {
  root = mkdtempSync(path.join(tmpdir(), 'belay-requirements-'));
  mkdirSync(path.join(root, 'test/room'), { recursive: true });
  const source = [
    "describe('a room', () => {",
    "  it('keeps its word', () => {});",
    '  test.each(rows)(`answers $question`, () => {});',
    "  test.prop([fc.nat()], { numRuns: 5 })('holds for all', () => {});",
    "  it.each`a | b`('reads a table', () => {});",
    "  helper('is no test', () => {});",
    '});',
  ];
  writeFileSync(path.join(root, 'test/room/word.test.ts'), source.join('\n'));
  titles = testTitles(root);
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('the page of requirements', () => {
  it('collects the titles of plain, tabular and property tests, and of nothing else', () => {
    const expected = ['keeps its word', 'answers $question', 'holds for all', 'reads a table'];
    expect(titles).toEqual(new Map([['test/room/word.test.ts', expected]]));
  });

  const file = 'test/room/word.test.ts';
  it.each([
    {
      says: 'nothing about a proof that exists',
      row: { tests: [`${file} > keeps its word`], where: [file] },
      broken: [],
    },
    { says: 'nothing about a row that is not yet shown', row: {}, broken: [] },
    {
      says: 'which test does not exist',
      row: { tests: [`${file} > keeps its wor`], where: [file] },
      broken: [`X1: there is no test "${file} > keeps its wor"`],
    },
    {
      says: 'which test stands in another file',
      row: { tests: ['test/room/other.test.ts > keeps its word'], where: [file] },
      broken: ['X1: there is no test "test/room/other.test.ts > keeps its word"'],
    },
    {
      says: 'which source file does not exist',
      row: { where: ['src/no.ts'] },
      broken: ['X1: there is no file src/no.ts'],
    },
    {
      says: 'that a proof needs a place',
      row: { tests: [`${file} > keeps its word`] },
      broken: ['X1: names a test but no file where it holds'],
    },
  ])('says $says', ({ row, broken }) => {
    expect(brokenPromises([{ title: 'X', rows: [{ id: 'X1', text: 'A row.', ...row }] }], titles, root)).toEqual(
      broken,
    );
  });

  it('says which row stands twice', () => {
    const rows = [1, 2].map(() => ({ id: 'X1', text: 'A row.' }));
    expect(brokenPromises([{ title: 'X', rows }], titles, root)).toEqual(['X1 stands twice']);
  });
});
