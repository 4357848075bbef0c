/** The steps of a change by themselves, with what others do between them. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blobHash } from '../../../src/workspace/files/blob-hash.ts';
import { dropNames, leftoversOf } from '../../../src/workspace/files/leftovers.ts';
import { type Kept, keepFile, putFile, type Swap, takeBack } from '../../../src/workspace/files/swap-file.ts';
import { tempFolder } from '../bench-place.ts';

const bytes = (text: string) => Buffer.from(text);

/** A file with `before` (null: none) that is to get `after` (null: to go), kept and put. */
function put(before: string | null, after: string | null): { swap: Swap; kept: Kept; folder: string; at: string } {
  const folder = tempFolder();
  const at = join(folder, 'f');
  const left = leftoversOf(at, '0123456789abcdef');
  if (before !== null) writeFileSync(at, before);
  if (after !== null) writeFileSync(left.fresh, after);
  const base = before === null ? null : blobHash(bytes(before));
  const swap = { left, base, baseBytes: null, bytes: after === null ? null : bytes(after) };
  const kept = keepFile(swap);
  if (typeof kept === 'string') throw new Error(kept);
  expect(putFile(swap, kept)).toBeNull();
  return { swap, kept, folder, at };
}
const now = (folder: string) => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));

test.each<[string, string | null, string | null]>([
  ['a changed file', 'old', 'new'],
  ['a new file', null, 'new'],
  ['a file that went', 'old', null],
])('%s is taken back', (_name, before, after) => {
  const { swap, kept, folder } = put(before, after);
  expect(takeBack(swap, kept)).toBeNull();
  dropNames(swap.left);
  expect(now(folder)).toEqual(before === null ? [] : [before]);
});

test.each<[string, string | null, string | null, (at: string) => void, string]>([
  ['changed again meanwhile', 'old', 'new', (at) => writeFileSync(at, 'theirs'), 'changed again'],
  ['changed again after it was made', null, 'new', (at) => writeFileSync(at, 'theirs'), 'changed again'],
  ['made anew by somebody else', 'old', null, (at) => writeFileSync(at, 'theirs'), 'could not be brought back'],
])('a file that was %s stays theirs, and the reason is told', (_name, before, after, rival, why) => {
  const { swap, kept, folder, at } = put(before, after);
  rmSync(at, { force: true });
  rival(at);
  expect(takeBack(swap, kept)).toContain(why);
  dropNames(swap.left);
  expect(now(folder)).toEqual(['theirs']);
});

test('a new file is not removed by a process whose attempt was settled while it slept', () => {
  const { swap, kept, folder } = put(null, 'new');
  dropNames(swap.left);
  expect(takeBack(swap, kept)).toContain('not its own any more');
  expect(now(folder)).toEqual(['new']);
});
