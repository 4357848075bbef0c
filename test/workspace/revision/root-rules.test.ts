/** Where the workspace is a part of a repository, lies below one that ignores it, or is another working tree of one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorkspace } from '../../../src/workspace/open-workspace.ts';
import { tempFolder } from '../bench-place.ts';

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x', ...args], { cwd, encoding: 'utf8' });

function put(top: string, files: { readonly [path: string]: string }): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), text);
  }
}

async function counted(
  root: string,
): Promise<{ readonly scanned: readonly string[]; readonly ignored: readonly string[] }> {
  const { revision } = await openWorkspace({ root, protectedPaths: [], env: process.env });
  const scan = await revision.scan();
  const ignored = await revision.ignored?.({ filesMax: 100 });
  return { scanned: [...scan.manifest.keys()].toSorted(), ignored: ignored?.files ?? [] };
}

const inside = { 'a.ts': '', 'gen/b.ts': '', 'sub/c.log': '', 'sub/d.ts': '' };
const below = (folder: string) =>
  Object.fromEntries(Object.entries(inside).map(([path, text]) => [folder + path, text]));
const all = Object.keys(inside);

describe('the rules of a root', () => {
  test.each<[string, string | null, { readonly [path: string]: string }, readonly string[]]>([
    [
      'those of its repository count',
      '.',
      { '.gitignore': 'gen/\n', 'pkg/.gitignore': '*.log\n' },
      ['a.ts', 'sub/d.ts'],
    ],
    [
      'with the way to it',
      '.',
      { '.gitignore': '/pkg/app/gen\n/sub\n', 'pkg/.gitignore': 'app/sub/*.log\n' },
      ['a.ts', 'sub/d.ts'],
    ],
    [
      'and what the repository leaves out for itself',
      '.',
      { '.git/info/exclude': 'gen\n' },
      all.filter((path) => path !== 'gen/b.ts'),
    ],
    ['a rule nearer to it takes one back', '.', { '.gitignore': '*.log\n', 'pkg/.gitignore': '!*.log\n' }, all],
    ['those above the repository do not', 'pkg/app', { '.gitignore': '*\n' }, all],
    ['nor those above where there is none', null, { '.gitignore': '*\n' }, all],
    ['nor those that leave out the root itself', '.', { '.gitignore': '*.log\n/pkg/*\n' }, all],
    [
      'a folder that is let in again lets in what is in it',
      '.',
      { '.gitignore': '/pkg/*\n', 'pkg/.gitignore': '!app\ngen\n' },
      all.filter((path) => path !== 'gen/b.ts'),
    ],
  ])('%s', async (_name, repository, rules, expected) => {
    const top = realpathSync(tempFolder());
    put(top, below('pkg/app/'));
    if (repository !== null) git(top, 'init', '-q', repository);
    put(top, rules);
    const { scanned, ignored } = await counted(join(top, 'pkg/app'));
    expect(scanned).toEqual(expected);
    expect(ignored).toEqual(all.filter((path) => !expected.includes(path)));
  });

  test('what is tracked counts all the same', async () => {
    const top = realpathSync(tempFolder());
    git(top, 'init', '-q');
    put(top, { '.gitignore': 'gen/\n*.log\n', ...below('pkg/app/') });
    git(top, 'add', '-f', 'pkg/app/gen/b.ts');
    const { scanned, ignored } = await counted(join(top, 'pkg/app'));
    expect(scanned).toEqual(['a.ts', 'gen/b.ts', 'sub/d.ts']);
    expect(ignored).toEqual(['sub/c.log']);
    const { revision } = await openWorkspace({ root: join(top, 'pkg/app'), protectedPaths: [], env: process.env });
    expect([...((await revision.tracked?.()) ?? [])]).toEqual(['gen/b.ts']);
  });

  test('what a repository leaves out for itself is left out of its other working trees, too', async () => {
    const top = realpathSync(tempFolder());
    put(top, below('main/'));
    git(top, 'init', '-q', 'main');
    git(join(top, 'main'), 'add', '-A');
    git(join(top, 'main'), 'commit', '-q', '-m', 'x');
    git(join(top, 'main'), 'worktree', 'add', '-q', '../other');
    put(top, { 'main/.git/info/exclude': '*.tmp\n', 'other/new.tmp': '', 'other/new.ts': '' });
    expect((await counted(join(top, 'other'))).scanned).toEqual([...all, 'new.ts'].toSorted());
  });
});
