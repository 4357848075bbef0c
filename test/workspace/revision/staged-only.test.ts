import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { blobHash } from '../../../src/workspace/files/blob-hash.ts';
import { stagedOnly } from '../../../src/workspace/revision/staged-only.ts';

const gitProgram = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A repository with some committed files in `repo`, and a folder `pkg` in it. */
function open() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'belay-staged-')));
  folders.push(top);
  const root = join(top, 'repo');
  const env = { PATH: process.env['PATH'] ?? '', HOME: top };
  mkdirSync(join(root, 'pkg'), { recursive: true });
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' });
  const put = (path: string, text: string) => writeFileSync(join(root, path), text);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'n');
  git('config', 'user.email', 'n@example.org');
  for (const name of ['a.txt', 'b.txt', 'pkg/c d.txt']) put(name, 'committed\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const staged = (folder = root, program: string | null = gitProgram) =>
    stagedOnly({ root: folder, git: program, env });
  return { top, root, git, put, staged };
}
const hash = (text: string) => blobHash(Buffer.from(text));

describe('what only the index holds', () => {
  it.each<[what: string, make: (at: ReturnType<typeof open>) => void, files: readonly string[]]>([
    ['nothing', () => {}, []],
    ['a change that is not staged', ({ put }) => put('a.txt', 'x'), []],
    [
      'a change that is staged and in the file',
      ({ put, git }) => {
        put('a.txt', 'x');
        git('add', 'a.txt');
      },
      [],
    ],
    [
      'a staged change over which the file was changed',
      ({ put, git }) => {
        put('a.txt', 'staged\n');
        git('add', 'a.txt');
        put('a.txt', 'later\n');
      },
      ['a.txt'],
    ],
    [
      'a staged change whose file is gone',
      ({ put, git, root }) => {
        put('a.txt', 'staged\n');
        git('add', 'a.txt');
        rmSync(join(root, 'a.txt'));
      },
      ['a.txt'],
    ],
    [
      'a new file that was changed or removed since',
      ({ put, git, root }) => {
        for (const name of ['n1', 'n2']) put(name, 'staged\n');
        git('add', '-A');
        put('n1', 'later\n');
        rmSync(join(root, 'n2'));
      },
      ['n1', 'n2'],
    ],
    [
      'a file renamed in the index and changed since',
      ({ put, git }) => {
        git('mv', 'a.txt', 'z.txt');
        put('z.txt', 'x');
        git('add', 'z.txt');
        put('z.txt', 'y');
      },
      ['z.txt'],
    ],
    ['a file that is staged as removed', ({ git }) => git('rm', '-q', '--cached', 'a.txt'), []],
    [
      'a file that is only to be added',
      ({ put, git }) => {
        put('n', 'x');
        git('add', '-N', 'n');
      },
      [],
    ],
    [
      'a name with a space below',
      ({ put, git }) => {
        put('pkg/c d.txt', 'staged\n');
        git('add', '-A');
        put('pkg/c d.txt', 'later\n');
      },
      ['pkg/c d.txt'],
    ],
  ])('%s', async (_what, make, files) => {
    const at = open();
    make(at);
    expect((await at.staged())?.map(({ path }) => path)).toEqual(files);
  });

  it('its hash is that of the content', async () => {
    const { put, git, staged } = open();
    put('a.txt', 'staged\n');
    git('add', 'a.txt');
    put('a.txt', 'later\n');
    expect(await staged()).toEqual([{ path: 'a.txt', hash: hash('staged\n') }]);
  });
  it('counts for the whole repository around the workspace', async () => {
    const { put, git, staged, root } = open();
    for (const name of ['a.txt', 'pkg/c d.txt']) put(name, 'staged\n');
    git('add', '-A');
    for (const name of ['a.txt', 'pkg/c d.txt']) put(name, 'later\n');
    expect((await staged(join(root, 'pkg')))?.map(({ path }) => path)).toEqual(['../a.txt', 'c d.txt']);
  });
  it('is empty without a repository and not known without git', async () => {
    const { top, root, staged } = open();
    expect([await staged(top), await staged(root, null)]).toEqual([[], null]);
  });
  it('is asked for without a filter, a monitor or a plain folder that poses as a repository', async () => {
    const { top, root, put, git, staged } = open();
    const proof = join(top, 'it-ran');
    put('.gitattributes', '*.txt filter=own\n');
    git('config', 'filter.own.clean', `touch ${proof}; cat`);
    git('config', 'core.fsmonitor', `touch ${proof}; false`);
    put('a.txt', 'x');
    for (const name of ['objects', 'refs']) mkdirSync(join(root, 'pkg', name));
    put('pkg/HEAD', 'ref: refs/heads/main\n');
    put(
      'pkg/config',
      `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${proof}; false"\n`,
    );
    expect([await staged(), await staged(join(root, 'pkg'))]).toEqual([[], []]);
    expect(existsSync(proof)).toBe(false);
  });
});
