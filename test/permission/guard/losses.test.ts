import { describe, expect, it } from 'vitest';
import { lossesOf } from '../../../src/permission/guard/losses.ts';
import { spelledOut } from '../../../src/permission/guard/spelled-out.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

describe('what a text would take away', () => {
  it.each<[string, string]>([
    ['git reset --hard HEAD~1', 'changes,untracked'],
    ['git checkout -f main', 'changes,untracked'],
    ['git clean -fd', 'untracked'],
    ['git clean -fdx', 'untracked,ignored'],
    ['git -C . clean -fX', 'ignored'],
    ['git stash', 'changes'],
    ['git stash push --include-untracked', 'changes,untracked'],
    ['git stash -a', 'changes,untracked,ignored'],
    ['git stash drop', '; stashes'],
    ['git branch -D x', '; branches, tags and commits'],
    ['git push --force', '; commits of the remote'],
    ['git worktree remove x', '; other worktrees'],
    ['rm -rf a b', 'changes,untracked,ignored: a b'],
    ['sudo rm -r a', 'changes,untracked,ignored: a'],
    ['find a b -name x -delete', 'changes,untracked,ignored: a b'],
    ['find -delete', 'changes,untracked,ignored: .'],
    ['truncate -s 0 a', 'changes,untracked,ignored: 0 a'],
    ['dd if=/dev/zero of=a', 'changes,untracked,ignored: a'],
    ['echo x > a', 'changes,untracked,ignored: a'],
    ['cp a b', 'changes,untracked,ignored: b | changes,untracked,ignored: b/a'],
    ['bash -c "git reset --hard; ls"', 'changes,untracked'],
    ['if true; then rm -r a; fi', 'changes,untracked,ignored: a'],
    ['echo x >> a; ls 2>/dev/null; git status', ''],
    ['git restore --staged a; git checkout -b x', ''],
  ])('%s', async (text, expected) => {
    const losses = lossesOf(await analyse(text));
    const shown = losses.map(
      ({ takes, paths, beyond }) =>
        `${takes.join(',')}${paths === null ? '' : `: ${paths.join(' ')}`}${beyond === null ? '' : `; ${beyond}`}`,
    );
    expect(shown.join(' | ')).toBe(expected);
  });
});

describe('what a path stands for', () => {
  const spelling = { folder: '/w', home: '/home/u', env: { A: 'x', B: '/abs' } };
  it.each<[string, string | null, string]>([
    ['a/./b/../c', '/w/a/c', ''],
    ['~', '/home/u', ''],
    ['~/x', '/home/u/x', ''],
    ['"$UNSET/"*', '/*', 'UNSET'],
    [`$\{NONE}/$A`, '/x', 'NONE'],
    ['$B/c', '/abs/c', ''],
    ['../..', '/', ''],
    ['$(pwd)/x', null, ''],
    [`$\{A:-/}`, null, ''],
    ['$1/x', '/x', '1'],
    ['$@', null, ''],
  ])('%s', (text, expected, unset) => {
    const read = spelledOut(text, spelling);
    expect([read.path, read.unset.join(' ')]).toEqual([expected, unset]);
  });
});
