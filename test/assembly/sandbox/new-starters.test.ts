import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { watchStarters } from '../../../src/assembly/sandbox/new-starters.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function open(mayLive = false) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'belay-starters-')));
  folders.push(root);
  const [a, b, c] = [join(root, 'a'), join(root, 'b'), join(root, 'c')] as const;
  writeFileSync(a, '');
  return { a, b, c, make: (at: string) => writeFileSync(at, ''), starters: watchStarters([a, b, c], mayLive) };
}

test('what appears between begin and settle is told, what appears outside of it is protected', () => {
  const { a, b, c, make, starters } = open();
  expect([starters.frozen(), starters.absent(), starters.appeared()]).toEqual([[a], [], []]);
  expect([starters.begin(), starters.absent(), starters.begin()]).toEqual([true, [b, c], false]);
  make(b);
  expect([starters.appeared(), starters.frozen()]).toEqual([[b], [a]]);
  rmSync(b);
  starters.settle();
  expect(starters.absent()).toEqual([]);
  make(c);
  expect(starters.appeared()).toEqual([]);
  starters.begin();
  expect([starters.frozen(), starters.absent()]).toEqual([[a, c], [b]]);
});

test('nothing is new where commands of a run before may live and it was there already', () => {
  const { b, c, make, starters } = open(true);
  expect([starters.absent(), starters.begin()]).toEqual([[b, c], false]);
  make(c);
  expect(starters.appeared()).toEqual([c]);
});

test('what Belay makes itself is accepted, with the folder in which it lies', () => {
  const { b, c, starters } = open();
  starters.begin();
  expect([starters.accept(`${b}x`), starters.accept(join(b, 'deep/file'))]).toEqual([false, true]);
  expect(starters.absent()).toEqual([c]);
  starters.accept(c);
  expect(starters.absent()).toEqual([]);
});

test('a link is neither protected nor absent', () => {
  const { a, b, c, starters } = open();
  symlinkSync(a, b);
  mkdirSync(c);
  expect([starters.begin(), starters.frozen(), starters.absent()]).toEqual([true, [a, c], []]);
});
