import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reflogMarks } from '../../../src/workspace/process/reflog-marks.ts';
import { tempFolder } from '../bench-place.ts';

const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
let clock = 1_700_000_000;

/** Runs a git command as the command of an action does; each a second later. */
function git(folder: string, words: string, action = 'none'): void {
  const date = `${clock++} +0000`;
  const env = { ...process.env, ...who, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
  execFileSync('git', words.split(' '), { cwd: folder, env: { ...env, GIT_REFLOG_ACTION: `belay/${action}` } });
}

function repository(folder: string): string {
  mkdirSync(folder, { recursive: true });
  git(folder, 'init -q -b main');
  git(folder, 'commit -q --allow-empty -m start');
  return folder;
}

const marks = (folder: string) => reflogMarks(folder, 'act').map((mark) => mark.replace(/\b[0-9a-f]{12}\b/, 'HASH'));

test.each<[string, (root: string) => string, readonly string[]]>([
  ['of the repository itself, once for HEAD and branch', (root) => root, ['HASH belay/act: one']],
  ['of one below', (root) => repository(join(root, 'nest', 'deep')), ['nest/deep: HASH belay/act: one']],
  [
    'of one in a repository below',
    (root) => repository(join(repository(join(root, 'a')), 'b')),
    ['a/b: HASH belay/act: one'],
  ],
  [
    'of another working tree',
    (root) => {
      git(root, 'worktree add -q ../side -b side');
      return join(root, '../side');
    },
    ['worktree side: HASH belay/act: one'],
  ],
])('a commit %s', (_name, place, expected) => {
  const root = repository(join(tempFolder(), 'work'));
  git(place(root), 'commit -q --allow-empty -m one', 'act');
  expect(marks(root)).toEqual(expected);
});

test('a branch that moved without HEAD is named, also from a folder of its own and from another working tree', () => {
  const root = repository(join(tempFolder(), 'work'));
  git(root, 'branch a/b');
  git(root, 'commit -q --allow-empty -m two');
  git(root, 'fetch -q . main:a/b', 'act');
  mkdirSync(join(root, 'sub'));
  git(root, 'worktree add -q ../side -b side');
  for (const from of [root, join(root, 'sub'), join(root, '../side')]) {
    expect(marks(from)).toEqual([expect.stringMatching(/^branch a\/b: HASH belay\/act/)]);
  }
});

test('of many the newest are told, in their order over all repositories; nothing is told of other actions', () => {
  const root = repository(join(tempFolder(), 'work'));
  const nest = repository(join(root, 'nest'));
  for (let n = 1; n <= 11; n++) {
    git(root, `commit -q --allow-empty -m r${n}`, 'act');
    git(nest, `commit -q --allow-empty -m n${n}`, 'act');
  }
  git(root, 'commit -q --allow-empty -m other', 'another');
  const found = marks(root);
  expect(found).toHaveLength(20);
  expect(found.slice(0, 2)).toEqual(['HASH belay/act: r2', 'nest: HASH belay/act: n2']);
  expect(found.at(-1)).toBe('nest: HASH belay/act: n11');
});

test('without a repository nothing is told', () => {
  expect(reflogMarks(join(tempFolder(), 'missing'), 'act')).toEqual([]);
});
