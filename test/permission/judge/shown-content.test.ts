import { describe, expect, it } from 'vitest';
import { createPermission } from '../../../src/permission/create-permission.ts';

// The last one is called as the source of a word that becomes something else.
const files = ['src/a.ts', 'conf.txt', 'src/conf.txt', 'v1', '$X', 'lib/*'];
const folders = ['.', 'src', 'lib', 'lib/deep'];
const decide = async (command: string, deny: readonly string[], ask: readonly string[] = [], hasPorts = true) => {
  const ports = {
    realPath: async (path: string) => path,
    kind: async (path: string) =>
      files.includes(path) ? ('file' as const) : folders.includes(path) ? ('directory' as const) : ('missing' as const),
  };
  return createPermission(hasPorts ? ports : null, [], { deny, ask })(
    { tool: 'Bash', args: { command }, effect: 'process', paths: null },
    { mode: 'default', allow: ['Bash'], checks: [], workspace: '/repo', signal: new AbortController().signal },
  );
};
type Row = readonly [command: string, decision: 'allow' | 'ask' | 'deny'];

describe('what git shows without naming it, where Read(conf.txt) is denied', () => {
  const rows: readonly Row[] = [
    ...[
      'git diff',
      'git diff HEAD~1 HEAD',
      'git diff $X',
      'git diff main...v2',
      'git diff --check',
      'git diff --stat -p',
      'git diff --stat --patch',
      'git diff --stat -S x',
      'git diff -p --no-patch=x',
      'git diff --color-words --stat',
      'git difftool -y',
      'git show',
      'git show HEAD',
      'git show --stat 0123abcd',
      'git show --stat "$X"',
      'git show -s HEAD:lib',
      'git show -s :lib',
      'git log -p',
      'git log -p -1',
      'git log -1 -u',
      'git log --patch',
      'git log --pat',
      'git log -U3',
      'git log --unified=3',
      'git log -c',
      'git log --cc',
      'git log --dd',
      'git log -m',
      'git log -L 1,2:x',
      'git log -S x',
      'git log -Gx',
      'git log -S x --patch',
      'git log --color-words',
      'git log --word-diff',
      'git log --binary',
      'git log --remerge-diff',
      'git log --diff-merges=on',
      'git log --patch-with-stat',
      'git whatchanged -p',
      'git reflog -p',
      'git diff-tree -p HEAD',
      'git diff-index -p HEAD',
      'git diff-files -p',
      'git grep hunter',
      'git grep -l hunter',
      'git grep -e src/a.ts',
      'git cat-file -p 0123abcd',
      'git cat-file blob HEAD',
      'git cat-file --batch',
      'git cat-file -p HEAD:lib x',
      'git stash list -p',
      'git stash show -p',
      'git stash list --cc',
      'git stash -p',
      'git status -v',
      'git status -svv',
      'git status --verbose',
      'git commit --dry-run -v',
      'git commit -p',
      'git commit --patch',
      'git add -p',
      'git add --patch',
      'git reset -p',
      'git am --show-current-patch',
      'git rebase --show-current-patch',
      'git worktree add w',
      'git archive HEAD',
      'git bundle create - HEAD',
      'git fast-export --all',
      'git format-patch --stdout HEAD~1',
      'git merge-tree a b',
      'git range-diff a b c',
      'git rerere diff',
      'git unpack-file x',
      'git --no-pager log -p',
      '/usr/bin/git log -p',
      'timeout 5 git log -p',
      'git -C src diff -- a.ts',
      'git diff -- src',
      'git diff src',
      'git diff -- "*.ts"',
      'git diff -- :/',
      'git diff -- . ":!conf.txt"',
      'git diff -- "$X"',
      'git diff --',
      'git diff src/gone.ts',
      'git diff -- src/gone.ts',
      'git diff src/*.ts',
      'git log -p -n src/a.ts',
      'git log -p --author src/a.ts',
      'git grep src/a.ts',
      'git grep -A src/a.ts x',
      'git show HEAD HEAD:src/a.ts',
      'git show HEAD:src',
      'git show HEAD:src/gone.ts',
      'cd lib && git diff',
      'hg diff',
      'hg cat x',
      'hg log -p',
      'hg log --patch',
      'jj show',
      'jj log -p',
      'svn diff',
      'svn log --diff',
      'fossil diff',
      'bzr diff',
      'darcs annotate x',
    ].map((command): Row => [command, 'ask']),
    ...[
      'git status',
      'git status --short',
      'git diff --stat',
      'git diff --stat=80',
      'git diff --name-only HEAD~1',
      'git diff --name-status --cached',
      'git diff --numstat',
      'git diff --shortstat',
      'git diff --dirstat',
      'git diff --summary',
      'git diff --compact-summary',
      'git diff --raw',
      'git diff --quiet',
      'git diff --no-patch',
      'git diff -s',
      'git diff --color --stat',
      'git show --stat',
      'git show -s --format=%h:%s HEAD~1',
      'git show --name-only main',
      'git log',
      'git log --oneline -20',
      'git log --color --stat',
      'git log src',
      'git whatchanged',
      'git reflog',
      'git diff-tree HEAD',
      'git diff-index HEAD',
      'git diff-files',
      'git cat-file -t 0123abcd',
      'git cat-file -e 0123abcd',
      'git stash list',
      'git worktree list',
      'git commit -m "x -p"',
      'git add src/a.ts',
      'git add -u',
      'git rev-parse HEAD',
      'git blame src/a.ts',
      'git diff -- src/a.ts',
      'git diff HEAD~1 -- src/a.ts',
      'git diff src/a.ts',
      'git diff HEAD src/a.ts',
      'git diff --cached src/a.ts',
      'git diff -w src/a.ts',
      'git log -p src/a.ts',
      'git log -p -2 src/a.ts',
      'git log --patch --follow -- src/a.ts',
      'git log -p --author=x src/a.ts',
      'git grep x src/a.ts',
      'git grep -n x src/a.ts',
      'git grep -e x src/a.ts',
      'git grep x HEAD -- src/a.ts',
      'git show HEAD:src/a.ts',
      'git show HEAD -- src/a.ts',
      'git cat-file -p HEAD:src/a.ts',
      'git cat-file blob HEAD:src/a.ts',
      'hg status',
      'hg log',
      'svn log',
      'tool diff',
      'tool log -p',
    ].map((command): Row => [command, 'allow']),
    ['git show HEAD:conf.txt', 'deny'],
    ['git cat-file -p HEAD:src/conf.txt', 'deny'],
    ['git log -p -- conf.txt', 'deny'],
    ['git blame conf.txt', 'deny'],
  ];
  it.each(rows)('%s: %s', async (command, decision) => {
    const decided = await decide(command, ['Read(conf.txt)']);
    // Some ask for more than that.
    const isElse = /git (add|reset|checkout|restore|stash|commit|-C)|^cd /.test(command);
    expect(decided.decision).toBe(decision);
    if (decision === 'ask' && !isElse) {
      expect(decided.reason).toMatch(
        /that it does not name, and rule Read\(conf.txt\) denies|its value only when|would be lost/,
      );
    }
    expect((await decide(command, [])).reason).not.toContain('does not name');
  });
});

describe('only what a rule could mean asks', () => {
  const rows: readonly (readonly [rule: string, ...Row])[] = [
    ['Read(src/c/**)', 'git diff -- lib', 'allow'],
    ['Read(src/c/**)', 'git diff lib', 'allow'],
    ['Read(src/c/**)', 'git diff lib/deep', 'allow'],
    ['Read(src/c/**)', 'git diff lib src', 'ask'],
    ['Read(src/c/**)', 'git diff nothing lib', 'allow'],
    ['Read(src/c/**)', 'git diff -- "lib/*.ts"', 'allow'],
    ['Read(src/c/**)', 'git diff -- "*"', 'ask'],
    ['Read(src/c/**)', 'git diff lib/*', 'ask'],
    ['Read(src/c/**)', 'git diff "lib/*"', 'allow'],
    ['Read(src/c/**)', 'git diff *.x HEAD:lib', 'ask'],
    ['Read(src/c/**)', 'git diff main HEAD:lib', 'ask'],
    ['Read(src/c/**)', 'cd lib; git diff deep', 'ask'],
    ['Read(src/c/**)', 'git diff -- ":!lib"', 'ask'],
    ['Read(src/c/**)', 'git -C src diff -- lib', 'ask'],
    ['Read(src/c/**)', 'git -C src cat-file -p HEAD:lib', 'ask'],
    ['Read(src/c/**)', 'git diff -- "[s]rc"', 'ask'],
    ['Read(src/c/**)', 'git diff -- "sr?"', 'ask'],
    ['Read(src/c/**)', 'git diff -- "l\\ib"', 'ask'],
    ['Read(src/c/**)', 'git diff -- lib/*', 'allow'],
    ['Read(src/c/**)', 'git diff -- ../x', 'ask'],
    ['Read(src/c/**)', 'git grep x lib', 'allow'],
    ['Read(src/c/**)', 'git grep lib', 'ask'],
    ['Read(src/c/**)', 'git grep -ie x lib', 'allow'],
    ['Read(src/c/**)', 'git show HEAD:lib', 'allow'],
    ['Read(src/c/**)', 'git show HEAD:', 'ask'],
    ['Read(src/c/**)', 'git show HEAD:src', 'ask'],
    ['Read(src/c/**)', 'git diff HEAD:lib HEAD:src', 'ask'],
    ['Read(src/c/**)', 'git diff HEAD:lib v1:lib', 'allow'],
    ['Read(src/c/**)', 'git diff -- "sr\\c"', 'ask'],
    ['Read(src/c/**)', 'git diff -- "lib/\\c"', 'allow'],
    ['Read(src/c/**)', 'git cat-file -p blob', 'ask'],
    ['Read(src/c/**)', 'cd lib; git diff -- ../src', 'ask'],
    ['Read(src/c/**)', 'cd lib; git diff v1', 'ask'],
    ['Read(src/c/**)', 'git diff -- "$X"', 'ask'],
    ['Read(src/c/**)', 'git diff -- :/src', 'ask'],
    ['Read(src/c/**)', 'git diff -- "{x}"', 'ask'],
    ['Edit(src/**)', 'git diff', 'allow'],
    ['Read(~/x)', 'git diff', 'allow'],
  ];
  it.each(rows)('%s, %s: %s', async (rule, command, decision) => {
    expect((await decide(command, [rule])).decision).toBe(decision);
  });

  it('rules that ask do so, too', async () => {
    expect((await decide('git diff', [], ['Read(conf.txt)'])).reason).toBe(
      'git diff: it shows what is in files that it does not name, and rule Read(conf.txt) asks for some',
    );
  });

  it('what a stash is called is no option', async () => {
    expect((await decide('git stash push -m x', ['Read(conf.txt)'])).reason).not.toContain('does not name');
  });

  it('places in commits count from the top of the repository, too', async () => {
    expect((await decide('cd lib; git show HEAD:src/conf.txt', ['Read(/src/conf.txt)'])).decision).toBe('deny');
    expect((await decide('cd lib; git show HEAD:src', ['Read(/src/conf.txt)'])).reason).toContain('does not name');
  });

  it('where nobody looks, a word is no path unless it stands behind --', async () => {
    expect((await decide('git diff lib', ['Read(src/c/**)'], [], false)).decision).toBe('ask');
    expect((await decide('git diff -- lib', ['Read(src/c/**)'], [], false)).decision).toBe('allow');
  });
});
