import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makePlace, type Place } from '../e2e/belay.ts';
import { bash, say } from '../e2e/turns.ts';

const bypass = ['--permission-mode', 'bypassPermissions'];
const wide = ['--allow', 'Bash'];

/** Files that no commit holds, most of them in no checkpoint either, beside a clean one. */
const work: { readonly [name: string]: string } = {
  'my.db': 'ignored\n',
  'local.db': 'ignored too\n',
  "it's.db": 'with a quote\n',
  'sub/o.db': 'ignored below\n',
  '.env': 'KEY=1\n',
  'data/set.csv': 'a,b\n',
  'u.txt': 'untracked\n',
  'src/a.txt': 'dirty\n',
  'src/clean.txt': 'committed\n',
};

function makeWork(): Place {
  const place = makePlace();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: place.repository });
  for (const folder of ['sub', 'data', 'src']) mkdirSync(path.join(place.repository, folder), { recursive: true });
  place.write('.gitignore', '*.db\n.env\ndata/\n');
  place.write('src/a.txt', 'one\n');
  place.write('src/clean.txt', 'committed\n');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'begin');
  for (const [name, text] of Object.entries(work)) place.write(name, text);
  return place;
}
const lost = (place: Place): readonly string[] =>
  Object.entries(work).flatMap(([name, text]) => {
    const file = path.join(place.repository, name);
    return existsSync(file) && readFileSync(file, 'utf8') === text ? [] : [name];
  });

describe('ignored data that a command names or could reach is kept first, where nothing is asked', () => {
  test.each<[string, readonly string[]]>([
    ['rm my.db', ['my.db']],
    ['rm -f ./local.db "it\'s.db"', ['local.db', "it's.db"]],
    ['cd src && rm ../local.db', ['local.db']],
    ['pushd sub >/dev/null && rm o.db', ['sub/o.db']],
    ['eval "rm my.db"', ['my.db']],
    ['unlink .env', ['.env']],
    ['mv -f u.txt my.db', ['my.db', 'u.txt']],
    ['mv local.db data.db', ['local.db']],
    ['mv *.db sub/', ['my.db', 'local.db', "it's.db"]],
    ['ln -sf src/a.txt my.db', ['my.db']],
    ['sort -o my.db u.txt', ['my.db']],
    ['sed -i s/ignored/other/ my.db', ['my.db']],
    ['gzip my.db', ['my.db']],
    ['cp u.txt my.db', ['my.db']],
    ['cp -f u.txt sub/o.db', ['sub/o.db']],
    ['truncate -s 0 my.db', ['my.db']],
    [': > my.db', ['my.db']],
    ['find . -name "*.db" -exec rm {} +', ['my.db', 'local.db', "it's.db", 'sub/o.db']],
    ['find sub -name "*.db" -exec sh -c \'rm "$1"\' _ {} \\;', ['sub/o.db']],
    ['ls *.db | grep local | xargs -I{} sh -c "rm -f {}"', ['local.db']],
    ['for f in sub/*; do rm "$f"; done', ['sub/o.db']],
    ['F=my.db; rm "$F"', ['my.db']],
    ["node -e \"fs.writeFileSync('my.db', '')\"", ['my.db']],
    ['node -e "fs.rmSync(\'data\', { recursive: true })"', ['data/set.csv']],
    ['rsync() { cp u.txt "$2"; }; rsync x my.db', ['my.db']],
  ])('%s', async (command, gone) => {
    const place = makeWork();
    const model = place.script([bash(command), say('Done.')]);
    expect(await place.belay(['run', 'go', '--session', 's', '--model', model, ...bypass])).toMatchObject({ code: 0 });
    expect([...lost(place)].sort()).toEqual([...gone].sort());
    const undone = await place.belay(['undo', 's', '--files']);
    expect({ code: undone.code, out: undone.stdout, lost: lost(place) }).toMatchObject({ code: 0, lost: [] });
  });
});

describe('a rule for every command is no leave to lose what no commit holds', () => {
  test.each<[string, string]>([
    ['rm my.db', '1 ignored file: my.db'],
    ['rm u.txt', '1 file that git does not know: u.txt'],
    ['rm src/a.txt', '1 file with uncommitted changes: src/a.txt'],
    ['unlink u.txt', 'u.txt'],
    ['gzip src/a.txt', 'src/a.txt'],
    ['sort -o u.txt src/a.txt', 'u.txt'],
    ['curl -so u.txt http://127.0.0.1:9/', 'u.txt'],
    ['rsync -a --delete src/ sub', 'sub/o.db'],
    ['mv -f src/clean.txt u.txt', 'u.txt'],
    ['sed -i s/a/b/ my.db', 'my.db'],
    ['find . -name "*.db" -exec rm {} +', '4 ignored files'],
  ])('%s', async (command, told) => {
    const place = makeWork();
    const model = place.script([bash(command), say('Done.')]);
    const asked = await place.belay(['run', 'go', '--session', 's', '--model', model, ...wide]);
    expect({ code: asked.code, lost: lost(place) }).toEqual({ code: 10, lost: [] });
    expect(asked.stderr).toContain('Could be lost:');
    expect(asked.stderr).toContain(told);
    expect(asked.stderr).toContain('Files of the workspace are kept first');
    await place.belay(['approve', 's']);
    await place.belay(['resume', 's']);
    await place.belay(['undo', 's', '--files']);
    expect(lost(place)).toEqual([]);
  });

  test.each([['rm src/clean.txt'], ['sed -i s/dirty/tidy/ src/a.txt'], ['mv u.txt v.txt'], ['rm -f nothing.db']])(
    'what a commit or a checkpoint holds goes unasked: %s',
    async (command) => {
      const place = makeWork();
      const model = place.script([bash(command), say('Done.')]);
      expect(await place.belay(['run', 'go', '--session', 's', '--model', model, ...wide])).toMatchObject({ code: 0 });
      await place.belay(['undo', 's', '--files']);
      expect(lost(place)).toEqual([]);
    },
  );

  test('what is too large to be kept is named', async () => {
    const place = makeWork();
    writeFileSync(path.join(place.repository, 'sub/big.db'), Buffer.alloc(33 * 1024 * 1024));
    const model = place.script([bash('find . -name "*.db" -exec rm {} +'), say('Done.')]);
    const asked = await place.belay(['run', 'go', '--session', 's', '--model', model, ...wide]);
    expect(asked.code).toBe(10);
    expect(asked.stderr).toContain('Not kept, and not brought back by an undo: sub/big.db');
  });
});

describe('a folder that tools fill is not kept, and an undo says so where it is gone', () => {
  const run = async (...commands: readonly string[]) => {
    const place = makeWork();
    place.write('.gitignore', '*.db\n.env\ndata/\nnode_modules\n');
    mkdirSync(path.join(place.repository, 'node_modules'));
    place.write('node_modules/index.js', '1\n');
    const model = place.script([...commands.map((one) => bash(one)), say('Done.')]);
    await place.belay(['run', 'go', '--session', 's', '--model', model, ...bypass]);
    return { place, undone: await place.belay(['undo', 's', '--files']) };
  };

  test('beside what is brought back', async () => {
    const { place, undone } = await run('git clean -fdx');
    expect({ code: undone.code, lost: lost(place) }).toEqual({ code: 1, lost: [] });
    expect(undone.stdout).toContain('left alone node_modules/: it is gone, and was not kept');
  });

  test('alone', async () => {
    const { undone } = await run('rm -rf node_modules');
    expect(undone).toMatchObject({ code: 42, stderr: expect.stringContaining('gone, and not kept: node_modules/;') });
  });

  test('not where it was made anew', async () => {
    const { undone } = await run('rm -rf node_modules && mkdir node_modules && echo x > new.txt');
    expect(undone).toMatchObject({ code: 0, stdout: expect.not.stringContaining('left alone') });
  });
});

describe('the git directory is asked for in every mode, because nothing keeps it', () => {
  const taking = [
    'rm -rf .git',
    'mv .git x',
    'find .git -delete',
    'find . -delete',
    'rm -r .git/objects',
    'rm -rf ../repo',
    'cd src && rm -rf ../.git',
    'rm -rf .[a-z]*',
    'sh -c "rm -rf .git"',
    'echo .git | xargs rm -rf',
    ': > .git/HEAD',
  ];
  test.each(taking)('%s', async (command) => {
    const place = makeWork();
    const before = readdirSync(path.join(place.repository, '.git'));
    const model = place.script([bash(command), say('Done.')]);
    const asked = await place.belay(['run', 'go', '--session', 's', '--model', model, ...bypass]);
    expect(asked.code).toBe(10);
    expect(asked.stderr).toContain('the git directory, with its commits, branches and stashes');
    expect(readdirSync(path.join(place.repository, '.git'))).toEqual(before);
  });

  test('where nobody may be asked it is denied', async () => {
    const place = makeWork();
    const model = place.script([bash('rm -rf .git'), say('Done.')]);
    const args = ['--permission-mode', 'dontAsk', ...wide];
    await place.belay(['run', 'go', '--session', 's', '--model', model, ...args]);
    expect(existsSync(path.join(place.repository, '.git/HEAD'))).toBe(true);
  });

  test.each([
    'find . -name "*.none" -delete',
    'find . -not -path "./.git/*" -name "*.none" | xargs rm -f',
    'rm -f .git/index.lock',
    'git init -q',
    'rm -rf sub',
    'echo .git/ >> .gitignore',
  ])('it is not asked for: %s', async (command) => {
    const place = makeWork();
    const model = place.script([bash(command), say('Done.')]);
    expect(await place.belay(['run', 'go', '--session', 's', '--model', model, ...bypass])).toMatchObject({ code: 0 });
    rmSync(place.folder, { recursive: true, force: true });
  });
});
