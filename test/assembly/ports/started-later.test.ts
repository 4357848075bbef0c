import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startedLater } from '../../../src/assembly/ports/started-later.ts';

let root = '';
const git = (...words: string[]) => {
  const ran = spawnSync('git', words, { cwd: root, env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } });
  if (ran.status !== 0) throw new Error(String(ran.stderr));
};
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-later-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('files of trusted hooks, in any case', () => {
  const later = startedLater(root, ['tools/h.sh']);
  expect(['tools/h.sh', 'Tools/H.sh', `${root}/tools/h.sh`, './tools/../tools/h.sh'].map(later)).toEqual(
    Array(4).fill(true),
  );
  expect(['tools', 'tools/h.sh2', 'h.sh'].map(later)).toEqual(Array(3).fill(false));
});

test('what a link of that name leads to', () => {
  writeFileSync(path.join(root, 'there.sh'), '');
  symlinkSync('there.sh', path.join(root, 'h.sh'));
  expect(['h.sh', 'there.sh'].map(startedLater(root, ['h.sh']))).toEqual([true, true]);
});

describe('what the settings of git name in the work tree', () => {
  test.each([true, false])('its folder of hooks, there: %s', (isThere) => {
    git('init', '-q');
    git('config', 'core.hooksPath', 'tools/hooks');
    if (isThere) mkdirSync(path.join(root, 'tools/hooks'), { recursive: true });
    const later = startedLater(root, []);
    expect(['tools/hooks/pre-commit', 'tools/hooks'].map(later)).toEqual([true, true]);
    expect(['tools/a', 'tools', '.git/hooks/x', 'a'].map(later)).toEqual([false, false, false, false]);
  });

  test('settings that they include', () => {
    git('init', '-q');
    git('config', 'include.path', '../team.gitconfig');
    expect(startedLater(root, [])('team.gitconfig')).toBe(true);
  });

  test('in a work tree of its own, and where there is no repository', () => {
    expect(startedLater(root, [])('a')).toBe(false);
    git('init', '-q');
    git('-c', 'user.name=n', '-c', 'user.email=e', 'commit', '-q', '--allow-empty', '-m', 'x');
    git('config', 'core.hooksPath', 'hooks');
    git('worktree', 'add', '-q', 'other');
    expect(startedLater(path.join(root, 'other'), [])('hooks/pre-commit')).toBe(true);
  });
});
