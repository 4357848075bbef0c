import { expect, it } from 'vitest';
import type { PermissionPorts } from '../../../src/permission/contract.ts';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { repositoryLoss } from '../../../src/permission/guard/repository-loss.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

const there = new Set(
  '. .git .git/objects .git/HEAD .git/hooks/x .git/index.lock plain plain/a plain/b.git sub sub/.git many many/one many/one/.git'.split(
    ' ',
  ),
);
const listed: { readonly [folder: string]: readonly string[] } = {
  '.': ['.git/', 'plain/', 'sub/', 'many/', 'file'],
  plain: ['a/', 'b'],
  sub: ['.git/', 'x'],
  many: ['zero/', 'one/'],
};
const ports: PermissionPorts = {
  realPath: async (path) => (path === 'link' ? '.git/objects' : path),
  // Of a submodule the git directory lies elsewhere.
  kind: async (path) =>
    path === 'module/.git' ? 'file' : there.has(path) || path === 'link' ? 'directory' : 'missing',
  entries: async (folder, max) => (listed[folder] ?? []).slice(0, max),
};
const lossOf = async (text: string, folder = '.', given: PermissionPorts | null = ports) => {
  const analysis = await analyse(text);
  const folders = folder === '.' ? analysis.folders : [folder];
  return repositoryLoss(text, analysis, { folders, workspace: '/home/me/w', ports: given });
};

it.each([
  ['rm -rf .git', '.git'],
  ['rm -rf a ./.git/', './.git/'],
  ['rm -rf sub/.git', 'sub/.git'],
  ['rm -rf link', 'link'],
  ['rm -r .git/objects', '.git/objects'],
  ['rm .git/hooks/x', '.git/hooks/x'],
  ['mv .git x', '.git'],
  ['mv -f x .git/HEAD', '.git/HEAD'],
  ['cp x .git/HEAD', '.git/HEAD'],
  ['echo x > .git/HEAD', '.git/HEAD'],
  ['tee .git/HEAD', '.git/HEAD'],
  ['find .git -delete', '.git'],
  ['find . -delete', '.git'],
  ['find -type f -delete', '.git'],
  ['find . -name ".g*" -delete', '.git'],
  ['find . -name "*" -delete', '.git'],
  ['find . -path "./.git/*" -delete', '.git'],
  ['find . -type f -exec rm {} +', '.git'],
  ['find . -type f | xargs rm', '.git'],
  ['find sub . -type f | xargs rm', '.git'],
  ['cd sub; find . -type f | xargs rm', '.git'],
  ['find . -not -name x -delete', '.git'],
  ['find . -name "*.o" -o -name "*it" -delete', '.git'],
  ['rm -rf .GIT/*', '.GIT/*'],
  ['find ../w/ | xargs rm', '.git'],
  ['rm -rf .', '.'],
  ['rm -rf ../w', '../w'],
  ['rm -rf ..', '..'],
  ['rm -rf /', '/'],
  ['rm -rf /home/me', '/home/me'],
  ['rm -rf ../*', '../*'],
  ['rm -rf /h*', '/h*'],
  ['rm -rf ~/w/.git', '~/w/.git'],
  ['rm -rf /elsewhere/.git', '/elsewhere/.git'],
  ['rm -rf .*', '.*'],
  ['rm -rf {a,.git}', '{a,.git}'],
  ['rm -rf sub/.[a-z]*/x', 'sub/.[a-z]*/x'],
  ['rm -rf .git/*', '.git/*'],
  ['rm -rf "$PWD/.git"', '"$PWD/.git"'],
  ['sh -c "rm -rf .git"', '.git'],
  ['timeout 5 rm -rf .git', '.git'],
  ['echo .git | xargs rm -rf', '.git'],
  ['rsync -a --delete x/ .', '.'],
  ['cd sub && rm -rf .git', '.git'],
  ['tar -cf a.tar --remove-files .', '.'],
  ['gzip -r .', '.'],
  ['mv . ../x', '.'],
  ['rm -rf sub', 'sub'],
  ['rm -rf ./plain ./sub/', './sub/'],
  ['rm -r many', 'many'],
  ['rm -rf *', '*'],
  ['rm -rf s*', 's*'],
  ['rm -rf plain/../sub', 'plain/../sub'],
  ['cd many && rm -rf one', 'one'],
  ['find sub -delete', 'sub'],
  ['find sub -type f | xargs rm', 'sub'],
  ['find sub | xargs rm', 'sub'],
  ['rsync -a --delete plain/ sub/', 'sub/'],
  ['gzip -r sub', 'sub'],
  ['git clean -ffd', 'sub/.git'],
  ['git clean -f -d --force', 'sub/.git'],
  ['git clean --fo -xf', 'sub/.git'],
  ['timeout 5 git clean -dff', 'sub/.git'],
])('%s takes it', async (text, path) => {
  expect(await lossOf(text)).toMatchObject({
    paths: [path],
    takes: [],
    why: 'the git directory would be lost, and with it every commit, branch and stash that is nowhere else',
    beyond: 'the git directory, with its commits, branches and stashes',
  });
});

it.each([
  'rm -rf plain',
  'rm -rf module',
  'rm -rf ../v*',
  'rm -rf p*',
  'rm -rf f*',
  'mv sub other',
  'rm sub/x',
  'rm -rf sub/x',
  'find sub -name x -delete',
  'rsync -a plain/ sub/',
  'cp -r sub plain',
  'git clean -fdx',
  'git clean -nff',
  'git clean -ff --dry-run',
  'git clean -f off',
  'tool clean -ff',
  'git -c f=f clean -f',
  'git log -ff',
  'rm -rf .x*',
  'rm -rf .gitignore .github',
  'rm -f .git/index.lock',
  'rm -rf .git/none',
  'rm -rf /home/me/other /home/men',
  'cp x .git/hooks/x',
  'cp a b .',
  'cp -r x/. .',
  'mv *.x .',
  'echo x >> .git/HEAD',
  'sed -i s/a/b/ .git/HEAD',
  'find . -name "*.o" -delete',
  'find . -empty -delete',
  'find . -maxdepth 1 -type f -delete',
  'find . -not -path "./.git/*" -delete',
  'find . ! -path "./.git/*" -type f -exec rm {} +',
  'find . -path ./.git -prune -o -name "*.o" -print | xargs rm',
  'find plain -type f | xargs rm',
  'find plain | xargs rm',
  'find . -name "[" -delete',
  'find . -not -path ./.git/x -name "*.o" | xargs rm',
  'find . -type f | xargs cat',
  'ls | grep -v .git | xargs rm',
  'rsync -a --delete --exclude .git x/ .',
  'rsync -a x/ .',
  'git clean -fdx .git',
  '/usr/bin/git rm -r .git',
  'xargs rm',
  'cat .git/HEAD',
  'gzip -r plain',
])('%s leaves it', async (text) => {
  expect(await lossOf(text)).toBeNull();
});

it('where nobody looks it counts as there', async () => {
  expect(await lossOf('rm -rf .git', '.', null)).not.toBeNull();
  expect(await lossOf('rm -rf .', '.', null)).not.toBeNull();
  expect(await lossOf('rm -rf .git', 'sub')).toMatchObject({ paths: ['.git'] });
  expect(await lossOf('rm -rf .', '.', { realPath: ports.realPath, kind: async () => 'missing' })).toBeNull();
});

it('that of a repository of which the workspace is a part goes with its top', async () => {
  const partOf = (top: string): PermissionPorts => ({
    realPath: ports.realPath,
    kind: async () => 'missing',
    elsewhere: async (which) => (which.length > 0 ? null : { top, files: [] }),
  });
  for (const text of [
    'rm -rf ../..',
    'rm -rf /home',
    'mv /home x',
    'rm -rf /',
    'rm -rf ../../../h*',
    'cd .. && rm -rf ..',
  ])
    expect(await lossOf(text, '.', partOf('../..'))).not.toBeNull();
  for (const text of ['rm -rf .', 'rm -rf ..', 'rm -rf ../*', 'cp -r x ../..'])
    expect(await lossOf(text, '.', partOf('../..'))).toBeNull();
  for (const text of ['rm -rf .', 'rm -rf ..', 'rm -rf /']) expect(await lossOf(text, '.', partOf('.'))).toBeNull();
  const silent: PermissionPorts = { ...partOf('..'), elsewhere: async () => null };
  expect(await lossOf('rm -rf ..', '.', silent)).toBeNull();
});

const decide = async (
  command: string,
  mode: 'bypassPermissions' | 'dontAsk' | 'default',
  allow: readonly string[] = [],
) =>
  createPermission(ports)(
    { tool: 'Bash', args: { command }, effect: 'process', paths: null },
    { mode, allow, checks: [], workspace: '/home/me/w', signal: new AbortController().signal },
  );

it('is asked in every mode, by a person, with no rule for the next time, and denied where nobody is asked', async () => {
  for (const mode of ['bypassPermissions', 'default'] as const) {
    const asked = await decide('rm -rf .git', mode, ['Bash']);
    expect(asked).toMatchObject({ decision: 'ask', by: 'policy', personOnly: true });
    expect(asked.reason).toMatch(/^rm -rf \.git: the git directory would be lost/);
    expect(asked.losses?.[0]?.beyond).toMatch(/^the git directory/);
    expect(asked.always).toBeUndefined();
  }
  expect(await decide('rm -rf .git', 'dontAsk', ['Bash'])).toMatchObject({ decision: 'deny' });
  expect(await decide('rm -rf sub', 'bypassPermissions')).toMatchObject({ decision: 'ask', personOnly: true });
  expect(await decide('rm -rf plain', 'bypassPermissions')).toMatchObject({ decision: 'allow' });
});

it('other repositories are looked for where somebody looks', async () => {
  expect(await lossOf('rm -rf sub', '.', null)).toBeNull();
  expect(await lossOf('rm -rf s*', '.', null)).toBeNull();
  expect(await lossOf('git clean -ff -d')).toMatchObject({ what: 'git clean -ff -d' });
  expect(await lossOf('git clean -ff', '.', null)).toBeNull();
  expect(await lossOf('rm -rf sub s*', '.', { realPath: ports.realPath })).toBeNull();
  const { entries: _, ...unlisted } = ports;
  expect(await lossOf('rm -rf sub', '.', unlisted)).toMatchObject({ paths: ['sub'] });
  expect(await lossOf('rm -rf many', '.', unlisted)).toBeNull();
});
