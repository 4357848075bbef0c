import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isDirty, uncommitted } from '../../../src/workspace/revision/is-dirty.ts';

const gitProgram = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A repository of one committed file that git has to read again, because its time changed. */
function stage() {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'belay-dirty-')));
  folders.push(folder);
  const home = path.join(folder, 'home');
  const root = path.join(folder, 'work');
  const proof = path.join(folder, 'it-ran');
  for (const one of [home, root]) mkdirSync(one);
  const env = { PATH: process.env['PATH'] ?? '', HOME: home };
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'n');
  git('config', 'user.email', 'n@example.org');
  writeFileSync(path.join(root, 'a.txt'), 'one\n');
  writeFileSync(path.join(root, '.gitattributes'), '*.txt filter=own\n');
  git('add', '-A');
  git('commit', '-qm', 'first');
  utimesSync(path.join(root, 'a.txt'), 1_700_000_000, 1_700_000_000);
  return { folder, home, root, proof, env, git };
}

type Stage = ReturnType<typeof stage>;
const program = ({ proof }: Stage) => `touch ${proof}; cat`;
const section = (at: Stage) => `[filter "own"]\n\tclean = "${program(at)}"\n`;

/** Where a driver may be named, and how git gets to know of it. */
const places: readonly (readonly [where: string, put: (at: Stage) => void])[] = [
  ['in the repository', (at) => void at.git('config', 'filter.own.clean', program(at))],
  ['in the repository, in capitals', (at) => appendTo(at, '.git/config', section(at).replace('filter', 'FILTER'))],
  [
    'in a file that the repository includes',
    (at) => {
      appendTo(at, '.git/more', section(at));
      at.git('config', 'include.path', 'more');
    },
  ],
  [
    'in a file that the repository includes on a condition',
    (at) => {
      appendTo(at, '.git/more', section(at));
      at.git('config', 'includeIf.onbranch:main.path', 'more');
    },
  ],
  [
    'in the settings of the working tree',
    (at) => {
      at.git('config', 'extensions.worktreeConfig', 'true');
      at.git('config', '--worktree', 'filter.own.clean', program(at));
    },
  ],
  ["in the user's file", (at) => void at.git('config', '--global', 'filter.own.clean', program(at))],
  [
    "in the user's other file",
    (at) => {
      mkdirSync(path.join(at.home, '.config/git'), { recursive: true });
      writeFileSync(path.join(at.home, '.config/git/config'), section(at));
    },
  ],
];

function appendTo(at: Stage, name: string, text: string): void {
  writeFileSync(path.join(at.root, name), text, { flag: 'a' });
}

describe('whether git would list changes', () => {
  const ports = ({ root, env }: Stage) => ({ root, git: gitProgram, env });

  it.each(places)('no filter driver runs for the question: %s', async (_where, put) => {
    const at = stage();
    put(at);
    expect(await isDirty(ports(at))).toBe(false);
    expect(await uncommitted(ports(at))).toEqual({ changed: [], untracked: [] });
    expect(existsSync(at.proof)).toBe(false);
    // The control: git itself runs it.
    at.git('status');
    expect(existsSync(at.proof)).toBe(true);
  });

  it.each([
    ['a changed file', 'a.txt', true],
    ['a new file', 'b.txt', true],
    ['an ignored file', 'c.log', false],
  ])('%s', async (_what, name, expected) => {
    const at = stage();
    appendTo(at, '.git/info/exclude', '*.log\n');
    appendTo(at, name, 'two\n');
    expect(await isDirty(ports(at))).toBe(expected);
  });

  it('takes no plain folder for a repository, also where its .git is none', async () => {
    const at = stage();
    for (const name of ['HEAD', 'objects', 'refs'])
      cpSync(path.join(at.root, '.git', name), path.join(at.root, name), { recursive: true });
    rmSync(path.join(at.root, '.git/HEAD'));
    const settings = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${at.proof}; false"\n${section(at)}`;
    writeFileSync(path.join(at.root, 'config'), settings);
    cpSync(path.join(at.root, '.git/index'), path.join(at.root, 'index'));
    expect(await isDirty({ root: at.root, git: gitProgram, env: at.env })).toBe(null);
    expect(existsSync(at.proof)).toBe(false);
    at.git('status');
    expect(existsSync(at.proof)).toBe(true);
  });
  it('knows nothing of a folder that is no repository', async () => {
    const at = stage();
    rmSync(path.join(at.root, '.git'), { recursive: true });
    expect(await isDirty(ports(at))).toBe(null);
  });

  describe('of a part of a repository', () => {
    function parted() {
      const at = stage();
      const put = (file: string, text: string) => {
        mkdirSync(path.dirname(path.join(at.root, file)), { recursive: true });
        writeFileSync(path.join(at.root, file), text);
      };
      put('.gitattributes', '');
      for (const file of ['pkg/[a]/s.ts', 'pkg/b/o.ts']) put(file, 'one\n');
      at.git('add', '-A');
      at.git('commit', '-qm', 'second');
      return { at, put, part: { ...ports(at), root: path.join(at.root, 'pkg/[a]') } };
    }

    it('its own changes make it dirty; what is lost with them is told of the whole', async () => {
      const { put, part } = parted();
      expect([await isDirty(part), await uncommitted(part)]).toEqual([false, { changed: [], untracked: [] }]);
      put('pkg/b/o.ts', 'mine\n');
      put('pkg/b/new.ts', 'mine\n');
      expect([await isDirty(part), await uncommitted(part)]).toEqual([
        false,
        { changed: ['../b/o.ts'], untracked: [] },
      ]);
      put('pkg/[a]/s.ts', 'mine\n');
      put('pkg/[a]/new/x.ts', 'mine\n');
      const found = { changed: ['s.ts', '../b/o.ts'], untracked: ['new/x.ts'] };
      expect([await isDirty(part), await uncommitted(part)]).toEqual([true, found]);
    });

    it('nothing is known of one that the repository ignores', async () => {
      const { put, part } = parted();
      put('.gitignore', 'pkg/\n');
      expect([await isDirty(part), await uncommitted(part)]).toEqual([null, null]);
    });
  });
});
