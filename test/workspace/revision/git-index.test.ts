import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { gitDirOf, parseIndex, readIndex } from '../../../src/workspace/revision/git-index.ts';
import { tempFolder } from '../bench-place.ts';

const git = (root: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: root, encoding: 'utf8' });

function repository(format = 'sha1'): string {
  const root = tempFolder();
  git(root, 'init', '-q', `--object-format=${format}`);
  const paths = ['a', 'b/c', 'b/cd/e', 'b/cd/eé', `long/${'x'.repeat(150)}/y`, 'z'];
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), path);
  }
  git(root, 'add', '.');
  return root;
}

const asGit = (root: string) =>
  git(root, 'ls-files', '-s', '-z')
    .split('\0')
    .filter(Boolean)
    .map((line) => ({ path: line.slice(line.indexOf('\t') + 1), hash: line.split(' ')[1] }));

test.each([2, 3, 4])('version %i is read as git reads it', (version) => {
  const root = repository();
  // An entry that is only intended to be added needs the extended flags of version 3.
  writeFileSync(join(root, 'intended'), '');
  if (version > 2) git(root, 'add', '-N', 'intended');
  git(root, 'update-index', '--index-version', String(version));
  expect(readFileSync(join(root, '.git/index')).readUInt32BE(4)).toBe(version);
  expect(readIndex(join(root, '.git'))).toEqual(asGit(root));
});

test.each([2, 3, 4])('of a repository with SHA-256, version %i', (version) => {
  const root = repository('sha256');
  writeFileSync(join(root, 'intended'), '');
  if (version > 2) git(root, 'add', '-N', 'intended');
  git(root, 'update-index', '--index-version', String(version));
  expect(readIndex(join(root, '.git'))).toEqual(asGit(root));
});

test.each(['sha1', 'sha256'])('a split index is read with its other half (%s)', (format) => {
  const root = repository(format);
  git(root, 'update-index', '--split-index');
  expect(readIndex(join(root, '.git'))).toEqual(asGit(root));
  writeFileSync(join(root, 'new'), 'new');
  writeFileSync(join(root, 'a'), 'changed');
  git(root, 'add', '.');
  const paths = readIndex(join(root, '.git')).map(({ path }) => path);
  expect(paths.toSorted()).toEqual(asGit(root).map(({ path }) => path));
  expect(readdirSync(join(root, '.git')).some((name) => name.startsWith('sharedindex.'))).toBe(true);
});

test('an index cut anywhere is empty or in error, never wrong', () => {
  const root = repository();
  const bytes = readFileSync(join(root, '.git/index'));
  const whole = parseIndex(bytes);
  for (let length = 0; length < bytes.length; length += 7) {
    try {
      const entries = parseIndex(bytes.subarray(0, length));
      expect(entries.length === 0 || entries.length === whole.length).toBe(true);
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
    }
  }
  expect(readIndex('/nonexistent')).toEqual([]);
});

test('a worktree names its git directory in a file', () => {
  const root = repository();
  git(root, 'commit', '-qm', 'x');
  git(root, 'worktree', 'add', '-q', join(root, 'w'));
  const gitDir = gitDirOf(join(root, 'w'));
  expect(gitDir).toBe(join(root, '.git/worktrees/w'));
  expect(readIndex(gitDir as string)).toHaveLength(6);
  expect(gitDirOf(join(root, 'b'))).toBeNull();
});
