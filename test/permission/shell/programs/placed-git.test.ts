import { expect, it } from 'vitest';
import { placedGit } from '../../../../src/permission/shell/programs/placed-git.ts';
import { literalWord, type ShellWord, unknownWord } from '../../../../src/permission/shell/shell-word.ts';

const words = (text: string): readonly ShellWord[] =>
  text.split(' ').map((word) => (word === '$' ? unknownWord : literalWord(word === "''" ? '' : word)));
const check = (text: string): string | null => {
  const placed = placedGit(words(text));
  return placed === null ? null : `${placed.folder.text}: ${placed.words.map((word) => word.text).join(' ')}`;
};

it.each([
  ['git -C a status', 'a: git status'],
  ['/usr/bin/git -C /b log -3', '/b: /usr/bin/git log -3'],
  ['git -C a -C b status', 'a/b: git status'],
  ['git -C a -C /b -C c status', '/b/c: git status'],
  ['git -C a -C', null],
  ['git -C a -C $ status', null],
  ["git -C a -C '' status", null],
  ['git -C a --no-pager -C b log', 'a: git --no-pager -C b log'],
  ['git -C a', 'a: git'],
  ["git -C '' status", null],
  ['git -C $ status', null],
  ['git $ a status', null],
  ['git -C', null],
  ['git', null],
  ['git -c a status', null],
  ['git status -C a', null],
  ['make -C a', null],
  ['$ -C a', null],
])('%s is %s', (text, expected) => expect(check(text)).toBe(expected));
