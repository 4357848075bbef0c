import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkspace, type Workspace } from '#workspace';

let root: string;
let workspace: Workspace;
beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'belay-ignored-')));
  execFileSync('git', ['init', '-q'], { cwd: root });
  workspace = await openWorkspace({ root, protectedPaths: [join(root, 'own')], env: process.env });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const put = (...names: string[]) => {
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), name);
  }
};
const rules = (name: string, text: string) => writeFileSync(join(root, name), text);
const ignored = (filesMax = 100) => workspace.revision.ignored?.({ filesMax });

describe('files that a rule ignores', () => {
  test('are listed as git lists them, without what is tracked, hidden or made anew by tools', async () => {
    put('a.txt', 'b.log', 'data/x', 'data/deep/y', 'sub/c.log', 'sub/keep.log', 'own/secret.log', 'tracked.log');
    put('node_modules/x/index.js', 'data/node_modules/z', 'sub/dist/out.js', 'build/o');
    rules('.gitignore', '*.log\ndata/\nnode_modules/\nown/\n');
    rules('sub/.gitignore', '!keep.log\ndist\n');
    writeFileSync(join(root, '.git/info/exclude'), 'build/\n');
    execFileSync('git', ['add', '-f', 'tracked.log'], { cwd: root });
    symlinkSync('..', join(root, 'link.log'));
    const found = await ignored();
    const git = execFileSync('git', ['ls-files', '-o', '-i', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
    const expected = git
      .trim()
      .split('\n')
      .filter((name) => !/node_modules|^own\//.test(name))
      .sort();
    expect(found?.files).toEqual(expected);
    expect(found?.files).toEqual([
      'b.log',
      'build/o',
      'data/deep/y',
      'data/x',
      'link.log',
      'sub/c.log',
      'sub/dist/out.js',
    ]);
    expect([...(found?.left ?? [])].sort()).toEqual(['data/node_modules/', 'node_modules/']);
  });

  test.each<[readonly string[], boolean, readonly string[], readonly string[]]>([
    [['.'], false, ['a.db', 'data/deep/y.db', 'data/x.db', 'sub/b.db', 'sub/in/c.db'], ['node_modules/']],
    [['a.db', 'none'], false, ['a.db'], []],
    [['a'], false, [], []],
    [['sub'], false, ['sub/b.db', 'sub/in/c.db'], []],
    [['sub/in'], false, ['sub/in/c.db'], []],
    [['data'], false, ['data/deep/y.db', 'data/x.db'], []],
    [['node_modules'], false, [], ['node_modules/']],
    [['node_modules/x'], false, ['node_modules/x/i.js'], []],
    [['.', 'sub', 'a.db'], true, ['a.db'], []],
    [['data'], true, ['data/deep/y.db', 'data/x.db'], []],
    [['data/deep'], true, ['data/deep/y.db'], []],
    [['sub/b.db', 'sub/in'], true, ['sub/b.db'], []],
    [['plain.txt'], true, [], []],
    [[], false, [], []],
  ])('are those at and below %j (named: %s)', async (under, isNamed, files, left) => {
    put('a.db', 'plain.txt', 'sub/b.db', 'sub/in/c.db', 'data/x.db', 'data/deep/y.db', 'node_modules/x/i.js');
    rules('.gitignore', '*.db\ndata/\nnode_modules/\n');
    expect(await workspace.revision.ignored?.({ filesMax: 100, under, isNamed })).toEqual({ files, left });
  });

  test('stop at the limit, and say where the rest is', async () => {
    rules('.gitignore', 'many/\n');
    put(...Array.from({ length: 30 }, (_one, at) => `many/${at}`));
    const found = await ignored(10);
    expect(found?.files).toHaveLength(10);
    expect(found?.left).toEqual(['many/']);
  });

  test('are none where no rule is', async () => {
    put('a', 'b/c');
    expect(await ignored()).toEqual({ files: [], left: [] });
  });
});

describe('what no commit holds', () => {
  const uncommitted = () => workspace.revision.uncommitted?.();
  test('is told by name, and asking runs nothing that the repository names', async () => {
    put('a', 'b', 'c d');
    execFileSync('git', ['add', '.'], { cwd: root });
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'x'], { cwd: root });
    expect(await uncommitted()).toEqual({ changed: [], untracked: [] });
    writeFileSync(join(root, 'a'), 'changed');
    rmSync(join(root, 'b'));
    put('new/deep', 'staged');
    execFileSync('git', ['add', 'staged'], { cwd: root });
    writeFileSync(
      join(root, '.git/config'),
      `[core]\n\tfsmonitor = touch ${root}/OWNED\n[filter "x"]\n\tclean = touch ${root}/OWNED\n`,
      { flag: 'a' },
    );
    rules('.gitattributes', '* filter=x\n');
    expect(await uncommitted()).toEqual({ changed: ['a', 'b', 'staged'], untracked: ['.gitattributes', 'new/deep'] });
  });

  test('is not known without a repository', async () => {
    rmSync(join(root, '.git'), { recursive: true });
    expect(await uncommitted()).toBe(null);
  });
});
