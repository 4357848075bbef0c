import { describe, expect, it } from 'vitest';
import type { PermissionCall, PermissionContext, PermissionPorts } from '../../../src/permission/contract.ts';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { outsideLosses } from '../../../src/permission/guard/outside-losses.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

type Files = {
  readonly changes?: readonly string[];
  readonly untracked?: readonly string[];
  readonly ignored?: readonly string[];
};
const files: Files = {
  changes: ['../b/o.ts', '../../top.ts'],
  untracked: ['../b/new.ts'],
  ignored: ['../b/dist/'],
};
let looks = 0;
const portsOf = (found: Files | null): PermissionPorts => ({
  // The workspace is /r/packages/a; the link `out` leads to /r/packages/b.
  realPath: async (path) => {
    const inside = path.replace(/^\.\.\/a\//, '');
    return /^(\.\.|\/|out(\/|$))/.test(inside) ? null : inside;
  },
  elsewhere: async (which) => {
    looks++;
    return found === null ? null : { top: '../..', files: which.flatMap((kind) => found[kind] ?? []) };
  },
});
const lost = async (text: string, found: Files | null = files) => {
  const analysis = await analyse(text);
  const around = { folders: analysis.folders, workspace: '/r/packages/a', ports: portsOf(found) };
  return (await outsideLosses(analysis, around)).map(({ beyond }) => beyond);
};
const changed = '../b/o.ts, ../../top.ts';
const other = '../b/o.ts';
const unknown = '../b/new.ts';
const every = `${changed}, ../b/new.ts, ../b/dist/`;

describe('what commands of git reach outside the workspace', () => {
  it.each<[text: string, ...names: string[]]>([
    ['git reset --hard', changed],
    ['git reset --hard HEAD~1', changed],
    ['git reset --merge', changed],
    ['git reset $X', changed],
    ['git reset HEAD $X', changed],
    ['timeout 5 git reset --hard', changed],
    ['sh -c "git reset --hard"', changed],
    ['git -c a.b=c reset --hard', changed],
    ['git switch -f main', changed],
    ['git switch --discard-changes main', changed],
    ['git merge --abort', changed],
    ['git rebase --skip', changed],
    ['git cherry-pick --abort', changed],
    ['git revert --abort', changed],
    ['git am --abort', changed],
    ['git read-tree -u --reset HEAD', changed],
    ['gh pr checkout -f 5', changed],
    ['git stash', changed],
    ['git stash -q', changed],
    ['git stash push -m wip', changed],
    ['git stash save wip', changed],
    ['git stash -u', `${changed}, ${unknown}`],
    ['git stash -a', every],
    ['git stash --odd ../b', every],
    ['git stash push ../b', other],
    ['git stash -- ../b', other],
    ['git stash save ../b', changed],
    ['git checkout -f', changed],
    ['git checkout --force main', changed],
    ['git checkout -p', changed],
    ['git checkout -f -- ../b', other],
    ['git checkout -- ../b -f', other],
    ['git checkout ../b/o.ts', other],
    ['git checkout ..', other],
    ['git checkout HEAD -- ../b', other],
    ['git checkout -- x ../b', other],
    ['git checkout -- :/', changed],
    ['git checkout -- ":(top)"', changed],
    ['git checkout -- :/packages/b', other],
    ['git checkout -- ":/packages/*.ts"', other],
    ['git checkout -- ":!x"', changed],
    ['git checkout -- ":(icase)x"', changed],
    ['git checkout -- ":/!x"', changed],
    ['git checkout -- $F', changed],
    ['git checkout -- {a,../b}', changed],
    ['git checkout -- {a,/r/packages/b}', changed],
    ['git checkout -- "../b"/*', changed],
    ['git checkout -- "*/../../b"', changed],
    ['git checkout -- "~/x"', changed],
    ['git checkout -- ../b/*', other],
    ['git checkout -- /r/packages/b', other],
    ['git checkout -- /link/to/b', changed],
    ['git checkout --pathspec-from-file=x', changed],
    ['git --work-tree=/r checkout -- b', changed],
    ['git --git-dir=/r/.git checkout -- b', changed],
    ['git -C $X checkout -- b', changed],
    ['git -C ../b checkout -- .', other],
    ['git -C ../b checkout -- o.ts', other],
    ['cd .. && git checkout -- b/o.ts', other],
    ['cd ../.. && git checkout -- .', changed],
    ['cd out && git checkout -- .', changed],
    ['cd out && git checkout -- ../o.ts', changed],
    ['pushd ../b && git checkout -- .', changed],
    ['echo .. | xargs git checkout --', changed],
    ['git restore :/', changed],
    ['git restore ../b', other],
    ['git restore -p', changed],
    ['git checkout-index -f ../b/o.ts', other],
    ['cd ../b && git checkout-index -fa', other],
    ['git checkout-index --force ../b/o.ts', other],
    ['git checkout-index -f --stdin', changed],
    ['git rm -r --force ../b', other],
    ['git mv -f x ../b/o.ts', other],
    ['git rm -rf ../b', other],
    ['git mv -f x ../b/new.ts', unknown],
    ['git mv --force x ../b/dist/x', '../b/dist/'],
    ['git clean -fd :/', unknown],
    ['git clean -fd ..', unknown],
    ['cd ../b && git clean -fd', unknown],
    ['git clean -fdx ../b/dist/x', '../b/dist/'],
    ['git clean -fdx :/', `${unknown}, ../b/dist/`],
    ['git clean -fdX :/', '../b/dist/'],
    ['git clean -fd --odd :/', `${unknown}, ../b/dist/`],
    ['git stash; git checkout ../b', changed, other],
  ])('%s: %j', async (text, ...names) => {
    expect(await lost(text)).toEqual(names);
  });
  it.each([
    'git reset',
    'git reset --soft HEAD~1',
    'git reset --keep HEAD~1',
    'git switch main',
    'git switch -C main',
    'git merge main',
    'git merge --quit',
    'git rebase --continue',
    'git read-tree HEAD',
    'git read-tree -um HEAD',
    'git read-tree --reset HEAD',
    'git stash pop',
    'git stash pop --index',
    'git stash apply',
    'git stash drop',
    'git stash clear',
    'git stash branch x',
    'git stash create',
    'git stash store x',
    'git stash list',
    'git stash push src',
    'git stash -- src',
    'git checkout main',
    'git checkout -b x',
    'git checkout -- .',
    'git checkout -f -- .',
    'git checkout HEAD~1 -- .',
    'git checkout -- "*.ts"',
    'git checkout -- /r/packages/a/x',
    'git checkout -- ../c',
    'git checkout -- :/packages/a',
    'git checkout -- ../a/x.ts',
    'cd src && git checkout -- .',
    'git -C src checkout -- .',
    'git restore .',
    'git restore --staged ../b',
    'git checkout-index -a',
    'git checkout-index ../b/o.ts',
    'git checkout-index -f x',
    'git rm -r ../b',
    'git rm -rf --cached ../b',
    'git rm -rf .',
    'git mv x ../b/o.ts',
    'git clean -fd',
    'git clean -fdx .',
    'git clean -nd :/',
    'git clean -fd ../b/old',
    'git submodule deinit -f x',
    'git branch -D x',
    'git push -f',
    'git commit -am x',
    'rm -rf build',
    'rm -r stash',
    'reset --hard',
    'hg revert --all',
  ])('nothing: %s', async (text) => {
    expect(await lost(text)).toEqual([]);
  });
  it('is nothing where nothing is there, and where nobody looks', async () => {
    expect(await lost('git reset --hard', {})).toEqual([]);
    const analysis = await analyse('git reset --hard');
    const around = { folders: ['.'], workspace: '/r' };
    expect(await outsideLosses(analysis, { ...around, ports: null })).toEqual([]);
    expect(await outsideLosses(analysis, { ...around, ports: { realPath: async (path) => path } })).toEqual([]);
  });
  it('nobody looks for what stays inside', async () => {
    looks = 0;
    for (const text of ['git checkout -- .', 'git clean -fd', 'git status', 'ls']) await lost(text);
    expect(looks).toBe(0);
  });
  it('is anything where git does not say', async () => {
    for (const text of ['git stash', 'git checkout -- ../x'])
      expect(await lost(text, null)).toEqual(['files (git did not say which)']);
  });
  it('does not take a name for another that begins so', async () => {
    expect(await lost('git checkout -- ../b', { changes: ['../bc/x', '../b'] })).toEqual(['../b']);
    expect(await lost('git checkout -- ../b/dist/x', { changes: ['../b/dist'] })).toEqual([]);
  });
  it('is told as what no undo brings back', async () => {
    const analysis = await analyse('timeout 5 git reset --hard');
    const around = { folders: ['.'], workspace: '/r/packages/a', ports: portsOf(files) };
    expect(await outsideLosses(analysis, around)).toEqual([
      {
        what: 'git reset --hard',
        why: `what no commit holds outside the workspace would be taken away: ${changed}`,
        takes: [],
        paths: [],
        beyond: changed,
      },
    ]);
  });
});

describe('what would be lost outside the workspace is asked in every mode', () => {
  const call = (command: string): PermissionCall => ({
    tool: 'Bash',
    args: { command },
    effect: 'process',
    paths: null,
  });
  const context: Omit<PermissionContext, 'mode'> = {
    allow: ['Bash(git *)'],
    checks: [],
    workspace: '/r/packages/a',
    signal: new AbortController().signal,
  };
  const decide = (command: string, mode: PermissionContext['mode'], found: Files = files) =>
    createPermission(portsOf(found))(call(command), { ...context, mode });

  it.each(['bypassPermissions', 'acceptEdits', 'default'] as const)('%s', async (mode) => {
    const decision = await decide('git reset --hard', mode);
    expect(decision).toMatchObject({
      decision: 'ask',
      by: 'policy',
      personOnly: true,
      reason: `git reset --hard: what no commit holds outside the workspace would be taken away: ${changed}`,
    });
    expect(decision.always).toBe(undefined);
    expect(decision.losses?.map(({ beyond }) => beyond)).toEqual([changed, null]);
  });
  it('where nobody may be asked it is denied', async () => {
    expect((await decide('git stash', 'dontAsk')).decision).toBe('deny');
  });
  it('where nothing is changed there, bypassPermissions asks nothing', async () => {
    expect(await decide('git reset --hard', 'bypassPermissions', {})).toMatchObject({ decision: 'allow', by: 'mode' });
    expect(await decide('git checkout -- .', 'bypassPermissions')).toMatchObject({ decision: 'allow', by: 'mode' });
  });
  it('a git directory that goes too is asked first', async () => {
    const decision = await decide('git stash; rm -rf .git', 'bypassPermissions');
    expect(decision.reason).toContain('rm -rf .git: the git directory');
    expect(decision.losses?.map(({ beyond }) => beyond).slice(0, 2)).toEqual([
      'the git directory, with its commits, branches and stashes',
      changed,
    ]);
  });
});
