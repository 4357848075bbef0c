import { describe, expect, it } from 'vitest';
import type { PermissionPorts } from '../../../src/permission/contract.ts';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { presentLosses } from '../../../src/permission/guard/present-losses.ts';
import { judgeUnheld } from '../../../src/permission/judge/judge-unheld.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

/** Ignored files, what else no commit holds, and what is committed; `link` leads to `my.db`. */
const ignored = ['my.db', 'sub/o.db', 'data/a', 'data/b', "it's.db", 'a*b.db', 'home.db', 'node_modules/'];
const open = ['u.txt', 'src/a.txt', 'sub/u.txt'];
const committed = ['src/clean.txt', 'sub/clean.txt'];
const folders = ['.', 'sub', 'data', 'src', 'node_modules'];
const asked: string[] = [];
const ports: PermissionPorts = {
  home: '/home/me',
  realPath: async (path) => (path === 'link' ? 'my.db' : path),
  kind: async (path) =>
    folders.includes(path)
      ? 'directory'
      : path === 'link' || [...ignored, ...open, ...committed].includes(path)
        ? 'file'
        : 'missing',
  async unheld(paths, which) {
    if (!['all', 'ignored', 'named'].includes(which)) throw new Error(which);
    asked.push(`${which}: ${paths.join(' ')}`);
    const isBelow = (file: string) =>
      paths.some((path) => path === '.' || file === path || file.startsWith(`${path}/`));
    const isNamed = (file: string) => paths.includes(file) || (paths.includes('data') && file.startsWith('data/'));
    const some = ignored.filter(which === 'named' ? isNamed : isBelow);
    return which === 'all' ? [...some, ...open.filter(isBelow)] : some;
  },
};
const workspace = '/home/me/w';
const losses = async (text: string, given: PermissionPorts | null = ports) =>
  (await presentLosses(await analyse(text), given, workspace, text)).map(
    ({ takes, paths, unsure }) => `${unsure ? 'perhaps ' : ''}${takes.join(',')}: ${paths?.join(' ') ?? 'any'}`,
  );
const all = 'changes,untracked,ignored';

describe('ignored files that a text names are kept', () => {
  it.each<[string, readonly string[]]>([
    ['rm my.db', [`${all}: my.db`]],
    ['rm none.db', []],
    [`rm "it's.db"`, [`${all}: it\\'s.db`]],
    [`rm 'a*b.db'`, [`${all}: a\\*b.db`]],
    ['sed -i s/a/b/ my.db', ['ignored: my.db']],
    ['sed -i s/a/b/ link', ['ignored: link']],
    ['sed -i s/a/b/ src/a.txt', []],
    ['sed -i s/a/b/ *.txt', []],
    ['sed -i s/a/b/ *.db', ['ignored: *.db']],
    ['sed -i s/a/b/ "$X"', ['ignored: "$X"']],
    ['sed -i s/a/b/ node_modules', []],
    ['mv my.db x', ['perhaps ignored: my.db']],
    ['mv sub x', ['perhaps ignored: sub']],
    ['mv u.txt x', []],
    ['find . -name "*.db" -exec prettier {} +', ['perhaps ignored: ./**/*.db']],
    ['find . -name "*.txt" -exec prettier {} +', []],
    ['find sub -exec prettier {} +', ['perhaps ignored: sub']],
    ['find src -exec prettier {} +', []],
    ['sqlite3 my.db "select 1"', ['perhaps ignored: my.db']],
    ['sqlite3 ./sub/o.db my.db', ['perhaps ignored: sub/o.db my.db']],
    ['cd sub && sqlite3 o.db', ['perhaps ignored: sub/o.db']],
    ['sqlite3 ~/w/my.db', ['perhaps ignored: my.db']],
    ['sqlite3 *.db', [`perhaps ignored: my.db it\\'s.db a\\*b.db home.db`]],
    ['sqlite3 sub/*.db', ['perhaps ignored: sub/o.db']],
    ['sqlite3 link', ['perhaps ignored: my.db']],
    [`sqlite3 "it's.db"`, [`perhaps ignored: it\\'s.db`]],
    ['tool data', ['perhaps ignored: data']],
    ['tool sub src node_modules .', []],
    ['tool --db=my.db', ['perhaps ignored: my.db']],
    ['node -e "fs.rmSync(\'my.db\')"', ['perhaps ignored: my.db']],
    ['$TOOL my.db', ['perhaps ignored: my.db']],
    ['timeout 5 sqlite3 my.db', ['perhaps ignored: my.db']],
    ['./my.db', []],
    ['./my.db data', ['perhaps ignored: data']],
    ['cd data && ls', []],
    ['echo my.db', []],
    ['rm my.db && sqlite3 my.db home.db', [`${all}: my.db`, 'perhaps ignored: home.db']],
    ['git reset --hard', ['changes,untracked: any']],
    ['cd "a*b" && rm my.db', [`${all}: my.db ./a\\*b/my.db`]],
  ])('%s', async (text, expected) => {
    expect(await losses(text)).toEqual(expected);
  });

  it('is said with the names, some of them', async () => {
    const text = 'sqlite3 my.db home.db';
    expect((await presentLosses(await analyse(text), ports, workspace, text))[0]).toMatchObject({
      what: 'my.db home.db',
      why: 'the command could change what it names: my.db home.db',
      beyond: null,
      unsure: true,
    });
  });

  it('nothing is guessed of a text that only reads, and where nobody looks', async () => {
    expect(await presentLosses(await analyse('cat my.db'), ports, workspace)).toEqual([]);
    expect(await losses('sqlite3 my.db; mv my.db x; sed -i s/a/b/ my.db', null)).toEqual([
      `${all}: x`,
      `${all}: x/my.db`,
    ]);
    const decide = async (effect: 'read' | 'process') =>
      createPermission(ports)(
        { tool: 'Bash', args: { command: 'cat my.db' }, effect, paths: null },
        { mode: 'bypassPermissions', allow: [], checks: [], workspace, signal: new AbortController().signal },
      );
    expect((await decide('read')).losses).toBeUndefined();
    expect((await decide('process')).losses).toHaveLength(1);
  });

  it('folders are looked at only where they are named', async () => {
    asked.length = 0;
    await losses('tool . src');
    await losses('tool none');
    await losses('sed -i s/a/b/ /elsewhere');
    expect(asked).toEqual(['named: src']);
  });

  it('a text is looked at within a limit', async () => {
    asked.length = 0;
    expect(
      await losses(`tool ${'my.db '.repeat(10)}${Array.from({ length: 400 }, (_one, i) => `n${i}`).join(' ')} home.db`),
    ).toEqual(['perhaps ignored: my.db']);
    expect(asked).toEqual(['named: my.db']);
  });
});

describe('a rule for every command is no leave to lose what no commit holds', () => {
  const decide = async (command: string, given: PermissionPorts = ports) => {
    const { decision, reason } = await createPermission(given)(
      { tool: 'Bash', args: { command }, effect: 'process', paths: null },
      { mode: 'default', allow: ['Bash'], checks: [], workspace, signal: new AbortController().signal },
    );
    return decision === 'ask' ? reason : decision;
  };
  it.each([
    ['rm my.db', 'rm my.db: rm deletes my.db: no commit holds my.db'],
    ['rm u.txt src/a.txt', 'rm u.txt src/a.txt: rm deletes u.txt src/a.txt: no commit holds u.txt and 1 more'],
    ['rm src/clean.txt', 'allow'],
    ['rm none', 'allow'],
    ['rm link', 'rm link: rm deletes link: no commit holds my.db'],
    ['unlink sub', 'unlink sub: unlink deletes sub: no commit holds sub/o.db and 1 more'],
    ['gzip u.txt', 'gzip u.txt: gzip deletes u.txt: no commit holds u.txt'],
    ['gzip sub', 'allow'],
    ['gzip -r sub', 'gzip -r sub: gzip deletes sub: no commit holds sub/o.db and 1 more'],
    ['gzip *.txt', 'gzip *.txt: gzip deletes *.txt: no commit holds u.txt'],
    ['gzip src/*.md', 'allow'],
    ['gzip src/clean.txt *.txt', 'gzip src/clean.txt *.txt: gzip deletes src/clean.txt *.txt: no commit holds u.txt'],
    ['gzip sub/*', 'gzip sub/*: gzip deletes sub/*: no commit holds sub/o.db and 1 more'],
    ['sed -i s/a/b/ my.db', 'sed -i s/a/b/ my.db: sed edits my.db: no commit holds my.db'],
    ['sed -i s/a/b/ src/a.txt', 'allow'],
    ['sed -i s/a/b/ src/clean.txt', 'allow'],
    ['rsync -a --delete src/ new', 'allow'],
    ['mv u.txt new', 'allow'],
    ['sqlite3 my.db x', 'allow'],
  ])('%s', async (command, expected) => {
    const said = await decide(command);
    expect(said.startsWith('its ') ? 'allow' : said).toBe(expected);
  });

  it('also where the words say that a folder is made like another', async () => {
    expect(await decide('rsync -a --delete src/ sub')).toMatch(/sub/);
  });

  it('is a question of its own', async () => {
    const around = { folders: ['.'], workspace, ports };
    expect(await judgeUnheld(await analyse('ls; rm my.db; rm src/clean.txt'), around)).toEqual([
      { what: 'rm my.db', decision: 'ask', reason: 'rm deletes my.db: no commit holds my.db' },
    ]);
  });

  it('where nobody looks only the words count', async () => {
    const { unheld: _unheld, ...blind } = ports;
    expect(await decide('rm my.db', blind)).toBe('allow');
    const { kind: _kind, ...rest } = ports;
    expect(await decide('gzip sub', rest)).toMatch(/no commit holds sub/);
  });

  it('a listing that ended early covers everything', async () => {
    expect(await decide('rm none', { ...ports, unheld: async () => ['./'] })).toMatch(/no commit holds \.\//);
  });
});
