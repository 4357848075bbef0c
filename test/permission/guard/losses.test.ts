import { describe, expect, it } from 'vitest';
import type { PermissionPorts } from '../../../src/permission/contract.ts';
import { lossesOf } from '../../../src/permission/guard/losses.ts';
import { presentLosses } from '../../../src/permission/guard/present-losses.ts';
import { spelledOut } from '../../../src/permission/guard/spelled-out.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

const all = 'changes,untracked,ignored';
const shown = (losses: Awaited<ReturnType<typeof presentLosses>>): string =>
  losses
    .map(
      ({ takes, paths, beyond }) =>
        `${takes.join(',')}${paths === null ? '' : `: ${paths.join(' ')}`}${beyond === null ? '' : `; ${beyond}`}`,
    )
    .join(' | ');

describe('what a text would take away', () => {
  it.each<[string, string]>([
    ['git reset --hard HEAD~1', 'changes,untracked'],
    ['git checkout -f main', 'changes,untracked'],
    ['git restore .', 'changes,untracked'],
    ['git rebase --abort', 'changes,untracked'],
    ['git clean -fd', 'untracked'],
    ['git clean -fdx', 'untracked,ignored'],
    ['git -C . clean -fX', 'ignored'],
    ['git clean -fd -eX', 'untracked'],
    ['git clean -fdex', 'untracked'],
    ['git clean -fdx -en', 'untracked,ignored'],
    ['git clean -fX --unknown', 'untracked,ignored'],
    ['git stash', 'changes'],
    ['git stash push --include-untracked', 'changes,untracked'],
    ['git stash -u', 'changes,untracked'],
    ['git stash -a', all],
    ['git stash --all', all],
    ['git stash drop', '; stashes'],
    ['git stash clear', '; stashes'],
    ['git stash pop', '; stashes'],
    ['git rm a -f b', `${all}: a b`],
    ['git mv -f a b', `${all}: a b`],
    ['git rm -rf', all],
    ['git branch -D x', '; branches, tags and commits'],
    ['git tag -d x', '; branches, tags and commits'],
    ['git update-ref -d x', '; branches, tags and commits'],
    ['git reflog expire --all', '; branches, tags and commits'],
    ['git gc', '; branches, tags and commits'],
    ['git prune', '; branches, tags and commits'],
    ['git repack -d', '; branches, tags and commits'],
    ['git filter-branch x', '; branches, tags and commits'],
    ['git filter-repo x', '; branches, tags and commits'],
    ['git fetch -f . HEAD:main', '; branches, tags and commits'],
    ['git pull origin +main:main', '; branches, tags and commits'],
    ['git push --force', '; commits of the remote'],
    ['git worktree remove x', '; other worktrees'],
    ['git submodule deinit x', `${all}; commits of submodules`],
    ['rm -rf a b', `${all}: a b`],
    ['rm -rf', all],
    ['trash -r a', `${all}: a`],
    ['shred a', `${all}: a`],
    ['srm a', `${all}: a`],
    ['wipe a', `${all}: a`],
    ['sudo rm -r a', `${all}: a`],
    ['find a b -name x -delete', `${all}: a b`],
    ['find -L a -delete', `${all}: a`],
    ['find a ( -name x ) -delete', ''],
    ["find a '(' -name x ')' -delete", `${all}: a`],
    ['find a ! -name x -delete', `${all}: a`],
    ['find -delete', `${all}: .`],
    ['truncate -s 0 a', `${all}: 0 a`],
    ['dd if=/dev/zero of=a', `${all}: a`],
    ['dd if=a', all],
    ['mkfs.ext4 x', all],
    ['echo x > a', `${all}: a`],
    ['cp a b', `${all}: b | ${all}: b/a`],
    ['tee a', `${all}: a`],
    ['tee -a a', ''],
    ['bash -c "git reset --hard; ls"', 'changes,untracked'],
    ['if true; then rm -r a; fi', `${all}: a`],
    ['echo x >> a; git status', ''],
    ['ls 2>/dev/null >/dev/stdout >/dev/fd/3; ls >/dev/stderr >/dev/tty', ''],
    ['echo x > /dev/sda', `${all}: /dev/sda`],
    ['git restore --staged a; git checkout -b x; git stash list', ''],
  ])('%s', async (text, expected) => {
    expect(shown(lossesOf(await analyse(text)))).toBe(expected);
  });

  it('is named by the command and the reason', async () => {
    expect(lossesOf(await analyse('git reset --hard; echo x > a; tee b'))).toMatchObject([
      { what: 'git reset --hard', why: 'git reset: uncommitted changes would be lost' },
      { what: 'tee b', why: 'the present content of b would be overwritten' },
      { what: '> a', why: 'the present content of a would be overwritten' },
    ]);
  });

  it('is told within a limit', async () => {
    expect(lossesOf(await analyse('rm -r x; '.repeat(60)))).toHaveLength(50);
  });
});

describe('what is there to lose', () => {
  const there = (...files: string[]): PermissionPorts => ({
    realPath: async (path) => (path.startsWith('link/') ? null : path),
    kind: async (path) => (files.includes(path) ? 'file' : 'missing'),
  });
  it.each<[string, readonly string[], string]>([
    ['echo x > a', ['a'], `${all}: a`],
    ['echo x > a', [], ''],
    ['cp x a', [], ''],
    ['rm -r a b', ['b'], `${all}: a b`],
    ['rm -r a b', [], ''],
    ['git reset --hard', [], 'changes,untracked'],
    // Where a path may lead is known of plain names alone.
    ['rm -r ../a', [], `${all}: ../a`],
    ['rm -r b/../../a', [], `${all}: b/../../a`],
    ['rm -r /a', [], `${all}: /a`],
    ['rm -r ~/a', [], `${all}: ~/a`],
    ['rm -r a*', [], `${all}: a*`],
    ['rm -r "$A"', [], `${all}: "$A"`],
    ['rm -r link/a', [], `${all}: link/a`],
    ['cd sub && rm -r a', [], `${all}: a ./sub/a`],
    ['cd sub && rm -r /a ~/b "$C"/d $E', [], `${all}: /a /a ~/b ~/b "$C"/d "$C"/d $E $E`],
  ])('%s with %j', async (text, files, expected) => {
    expect(shown(await presentLosses(await analyse(text), there(...files), '/w'))).toBe(expected);
  });

  it('is not known where nobody looks', async () => {
    const analysis = await analyse('echo x > a');
    expect(shown(await presentLosses(analysis, null, '/w'))).toBe(`${all}: a`);
    expect(shown(await presentLosses(analysis, { realPath: async (path) => path }, '/w'))).toBe(`${all}: a`);
  });
});

describe('what a path stands for', () => {
  const spelling = { folder: '/w', home: '/home/u', env: { A: 'x', B: '/abs' } };
  it.each<[string, string | null, string]>([
    ['a/./b/../c', '/w/a/c', ''],
    ['a//b/', '/w/a/b', ''],
    ['~', '/home/u', ''],
    ['~/x', '/home/u/x', ''],
    ['~other/x', null, ''],
    ['~+/x', null, ''],
    ['~-', null, ''],
    ['\\~+/x', '/w/~+/x', ''],
    ["'~other'/x", '/w/~other/x', ''],
    ['x~/y', '/w/x~/y', ''],
    ['"$UNSET/"*', '/*', 'UNSET'],
    [`$\{NONE}/$A`, '/x', 'NONE'],
    ["'q u'", '/w/q u', ''],
    ['$B/c', '/abs/c', ''],
    ['../..', '/', ''],
    ['$(pwd)/x', null, ''],
    ['`pwd`/x', null, ''],
    ['<(x)', null, ''],
    [`$\{A:-/}`, null, ''],
    ['$1/x', '/x', '1'],
    ["it\\'s", "/w/it's", ''],
    ['a\\*b', '/w/a*b', ''],
    ['\\$A\\~', '/w/$A~', ''],
    ["'$A'/b", '/w/$A/b', ''],
    [`"'$A'"`, '/w/x', ''],
    ['$@', null, ''],
  ])('%s', (text, expected, unset) => {
    const read = spelledOut(text, spelling);
    expect([read.path, read.unset.join(' ')]).toEqual([expected, unset]);
  });
});
