/** What an undo must leave alone because it was not the session's, and what it must not lose while it takes back. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '#ledger';
import { ended, entry, makePlace, type Place, until, untilReceipt } from './belay.ts';
import { bash, edit, read, say } from './turns.ts';

const free = ['--permission-mode', 'bypassPermissions'];
const write = (file_path: string, content: string) => ({ calls: [{ tool: 'Write', args: { file_path, content } }] });

/** A repository with ignored data: `my.db`, and `.gitignore` committed. */
function placeWithData(): Place {
  const place = makePlace();
  place.write('a.txt', 'one\n');
  place.write('.gitignore', '*.db\n.env\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.repository, stdio: 'pipe' });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'start');
  place.write('my.db', 'precious\n');
  return place;
}

async function run(place: Place, turns: readonly object[], session = 's') {
  const model = place.script(turns, `${session}.json`);
  const ran = await place.belay(['run', 'Change it.', '--session', session, '--model', model, ...free]);
  expect(ran).toMatchObject({ code: 0 });
}
const exists = (place: Place, name: string) => existsSync(path.join(place.repository, name));
/** Files are older than the session by more than a clock's tick. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 60));

describe('a file that only became visible was not created', () => {
  test.each<readonly [name: string, turns: readonly object[]]>([
    ['by an edit of .gitignore with sed', [bash('sed -i s/db/log/ .gitignore')]],
    ['by its removal', [bash('rm .gitignore')]],
    ['by git rm', [bash('git rm -q .gitignore')]],
    ['by git add -f', [bash('git add -f my.db')]],
    [
      'by a tool and a command after it',
      [read('.gitignore'), edit('.gitignore', '*.db', '*.log'), bash('echo x > b.txt')],
    ],
    ['and was touched besides', [bash('sed -i s/db/log/ .gitignore; echo more >> my.db')]],
  ])('%s', async (_name, turns) => {
    const place = placeWithData();
    writeFileSync(path.join(place.repository, 'big.db'), Buffer.alloc(33 * 1024 * 1024, 7));
    await settle();
    await run(place, [...turns, say('Done.')]);
    const data = place.file('my.db');
    expect(data).toContain('precious');
    const shown = (await place.belay(['diff', 's'])).stdout;
    expect(shown).not.toContain('+precious');
    expect(shown).not.toContain('big.db');
    const undone = await place.belay(['undo', 's', '--to', '1', '--files']);
    expect(undone.stdout).not.toContain('big.db');
    // What is known of it from before the command comes back; else it is left alone and named.
    const left = undone.stdout.includes('left alone my.db: it is older than the command');
    expect(place.file('my.db')).toBe(left ? data : 'precious\n');
    if (data === 'precious\n') expect(undone.stdout).not.toContain('my.db');
    else expect(shown).toContain('my.db (it was there before');
    expect(exists(place, 'big.db')).toBe(true);
    expect(place.file('.gitignore')).toBe('*.db\n.env\n');
    await place.belay(['redo', 's']);
    expect(place.file('my.db')).toBe(data);
  });
});

describe('an edit of an ignored file', () => {
  test('is shown and comes back, also behind commands', async () => {
    const place = placeWithData();
    place.write('.env', 'KEY=one\n');
    await run(place, [
      read('.env'),
      edit('.env', 'one', 'two'),
      write('new.db', 'made\n'),
      bash('echo x > b.txt'),
      say('Done.'),
    ]);
    const shown = (await place.belay(['diff', 's'])).stdout;
    expect(shown).toContain('modified .env (not shown: it may hold a secret)');
    expect(shown).toContain('+made');
    const undone = await place.belay(['undo', 's', '--to', '1', '--files']);
    expect(undone).toMatchObject({ code: 0 });
    expect(undone.stdout).toContain('restored .env');
    expect([place.file('.env'), place.file('my.db')]).toEqual(['KEY=one\n', 'precious\n']);
    expect(exists(place, 'new.db')).toBe(false);
    await place.belay(['redo', 's']);
    expect([place.file('.env'), place.file('new.db')]).toEqual(['KEY=two\n', 'made\n']);
    place.write('.env', 'KEY=mine\n');
    const left = await place.belay(['undo', 's', '--to', '1', '--files']);
    expect(left.stdout).toContain('left alone .env: somebody else changed it after Belay did');
    expect(place.file('.env')).toBe('KEY=mine\n');
  });

  test('what a command does to it later is undone with that command', async () => {
    const place = placeWithData();
    place.write('.env', 'KEY=one\n');
    await run(place, [read('.env'), edit('.env', 'one', 'two'), say('Done.')]);
    await place.belay([
      'resume',
      's',
      'more',
      '--model',
      place.script(
        [say('x'), say('x'), say('x'), bash('sed -i s/two/three/ .env; echo x > b.txt'), say('More.')],
        's2.json',
      ),
    ]);
    expect(place.file('.env')).toBe('KEY=three\n');
    await place.belay(['undo', 's', '--files']);
    expect([place.file('.env'), exists(place, 'b.txt')]).toEqual(['KEY=two\n', false]);
    await place.belay(['undo', 's', '--files']);
    expect(place.file('.env')).toBe('KEY=one\n');
  });
});

describe('what others make beside a session', () => {
  test('an edit of another session while a command runs is left alone and named', async () => {
    const place = placeWithData();
    const first = ended(
      place.start([
        'run',
        'x',
        '--session',
        'a',
        '--model',
        place.script([bash('echo a > a_made.txt; while [ ! -e go.tmp ]; do sleep 0.05; done'), say('Done.')], 'a.json'),
        ...free,
      ]),
    );
    await until(() => exists(place, 'a_made.txt'));
    await run(place, [write('b_made.txt', 'theirs\n'), say('Done.')], 'b');
    place.write('go.tmp', '');
    await first;
    const undone = await place.belay(['undo', 'a', '--files']);
    expect(undone.stdout).toContain('left alone b_made.txt: session b made it so');
    expect([exists(place, 'a_made.txt'), place.file('b_made.txt')]).toEqual([false, 'theirs\n']);
  });

  test('what a person does after the agent was killed stays and is named', async () => {
    const place = placeWithData();
    const model = place.script([bash('echo made > made.txt; sleep 1; touch over'), say('Done.')]);
    const child = place.start(['run', 'Change it.', '--session', 's', '--model', model, ...free]);
    await until(() => exists(place, 'made.txt'));
    child.kill('SIGKILL');
    await ended(child);
    await untilReceipt(place, 's');
    // What comes sooner may still be the command's.
    await new Promise((resolve) => setTimeout(resolve, 800));
    place.write('a.txt', 'by a person\n');
    place.write('new.txt', 'by a person\n');
    await settle();
    await place.belay(['resume', 's']);
    const undone = await place.belay(['undo', 's', '--files']);
    expect(undone).toMatchObject({ code: 1, stdout: expect.stringContaining('removed made.txt') });
    expect(undone.stdout).toContain('left alone a.txt: somebody else changed it when no command was at work');
    expect([place.file('a.txt'), place.file('new.txt')]).toEqual(['by a person\n', 'by a person\n']);
    expect(exists(place, 'made.txt')).toBe(false);
  });

  test('what a person does while a command runs for long goes back with it, is kept, and is told', async () => {
    const place = placeWithData();
    const model = place.script([bash('echo made > made.txt; sleep 5.2'), say('Done.')]);
    const child = place.start(['run', 'Change it.', '--session', 's', '--model', model, ...free]);
    await until(() => exists(place, 'made.txt'));
    place.write('a.txt', 'by a person\n');
    await ended(child);
    const undone = await place.belay(['undo', 's', '--files']);
    expect(place.file('a.txt')).toBe('one\n');
    expect(undone.stderr).toMatch(/what somebody else changed in these files while a command ran \(\d+ s\) went back/);
    expect(await place.belay(['redo', 's'])).toMatchObject({ code: 0 });
    expect(place.file('a.txt')).toBe('by a person\n');
  });

  test('what a person does while the model thinks stays', async () => {
    const place = placeWithData();
    place.write('c.txt', 'one\n');
    place.write('d.txt', 'one\n');
    const model = path.join(place.folder, 'thinking.mjs');
    writeFileSync(
      model,
      `import { rmSync, writeFileSync } from 'node:fs';
const at = (name) => ${JSON.stringify(place.repository)} + '/' + name;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export default async (_request, { turn }) => {
  if (turn === 0) return { calls: [{ tool: 'Bash', args: { command: 'echo two > a.txt' } }] };
  if (turn > 1) return { text: 'Done.' };
  await sleep(600);
  writeFileSync(at('c.txt'), 'mine\\n');
  writeFileSync(at('mine.txt'), 'mine\\n');
  rmSync(at('d.txt'));
  await sleep(100);
  return { calls: [{ tool: 'Bash', args: { command: 'echo three > src/new.txt' } }] };
};\n`,
    );
    await place.belay(['run', 'x', '--session', 's', '--model', `scripted/${model}`, ...free]);
    const undone = await place.belay(['undo', 's', '--files']);
    expect(undone.stdout).toBe('removed src/new.txt\n');
    expect([place.file('c.txt'), place.file('mine.txt'), exists(place, 'd.txt')]).toEqual(['mine\n', 'mine\n', false]);
  });
});

describe('the only copy of something', () => {
  test.each([
    ['moved', 'mv my.db data.txt'],
    ['copied and removed', 'cp my.db data.txt; rm my.db'],
  ])('an ignored file that was %s is not lost', async (_name, command) => {
    const place = placeWithData();
    await settle();
    await run(place, [bash(command), say('Done.')]);
    const undone = await place.belay(['undo', 's', '--files']);
    const held = ['my.db', 'data.txt'].filter((name) => exists(place, name)).map((name) => place.file(name));
    if (held.length === 0) await place.belay(['redo', 's']);
    expect([undone.code, exists(place, 'my.db') ? place.file('my.db') : place.file('data.txt')]).toEqual([
      exists(place, 'my.db') ? 0 : 1,
      'precious\n',
    ]);
  });

  test('a created file that is too large to keep is not removed', async () => {
    const place = placeWithData();
    await run(place, [bash('head -c 34000000 /dev/zero > large.bin; echo two > a.txt'), say('Done.')]);
    const undone = await place.belay(['undo', 's', '--files']);
    expect(undone.code).toBe(1);
    expect(undone.stdout).toContain('left alone large.bin: it is not kept anywhere else');
    expect([place.file('a.txt'), exists(place, 'large.bin')]).toEqual(['one\n', true]);
  });
});

test('a folder that was private comes back private, one of the session as well as one found', async () => {
  const place = placeWithData();
  const modeOf = (name: string) => (statSync(path.join(place.repository, name)).mode & 0o777).toString(8);
  mkdirSync(path.join(place.repository, 'found'));
  place.write('found/k', '1\n');
  chmodSync(path.join(place.repository, 'found'), 0o700);
  await run(place, [bash('mkdir -m 700 keys; echo 1 > keys/k'), bash('rm -r keys found'), say('Done.')]);
  expect((await place.belay(['undo', 's', '--files'])).stdout).toContain('restored found/k');
  expect(modeOf('found')).toBe('700');
  if (exists(place, 'keys')) expect(modeOf('keys')).toBe('700');
});

test('a restored file that lost a special bit is told of', async () => {
  const place = placeWithData();
  chmodSync(path.join(place.repository, 'a.txt'), 0o4755);
  await run(place, [bash('rm a.txt'), say('Done.')]);
  expect((await place.belay(['undo', 's', '--files'])).stdout).toContain('a.txt: it came back without its setuid bit');
});

test('what the system refused can be tried again, and the commands for it are named', async () => {
  const place = placeWithData();
  writeFileSync(path.join(place.repository, 'large.bin'), Buffer.alloc(12 * 1024 * 1024, 1));
  execFileSync('git', ['add', 'large.bin'], { cwd: place.repository });
  await run(place, [bash('rm large.bin; echo two > a.txt'), say('Done.')]);
  const { PATH = '', HOME = '' } = process.env;
  // A limit for the length of files stands for a full disk.
  const limited = spawnSync(
    'sh',
    ['-c', 'ulimit -f 16000; exec "$@"', 'sh', process.execPath, entry, 'undo', 's', '--files'],
    {
      cwd: place.repository,
      env: { PATH, HOME, BELAY_HOME: place.home },
      encoding: 'utf8',
    },
  );
  expect(limited.status).toBe(1);
  expect(limited.stdout).toContain('left alone large.bin: EFBIG');
  expect(limited.stderr).toContain('tries again: belay redo s; belay undo s --files');
  await place.belay(['redo', 's']);
  expect(await place.belay(['undo', 's', '--files'])).toMatchObject({ code: 0 });
  expect([place.file('a.txt'), exists(place, 'large.bin')]).toEqual(['one\n', true]);
});

test('what the system refused to a redo is redone by the next one, and undone with the rest', async () => {
  const place = placeWithData();
  await run(place, [bash('head -c 12000000 /dev/zero > large.bin; echo two > a.txt'), say('Done.')]);
  expect(await place.belay(['undo', 's', '--files'])).toMatchObject({ code: 0 });
  const { PATH = '', HOME = '' } = process.env;
  const words = ['-c', 'ulimit -f 16000; exec "$@"', 'sh', process.execPath, entry, 'redo', 's'];
  const env = { PATH, HOME, BELAY_HOME: place.home };
  for (let tries = 0; tries < 2; tries++) {
    const limited = spawnSync('sh', words, { cwd: place.repository, env, encoding: 'utf8' });
    expect(limited.status).toBe(1);
    expect(limited.stdout).toContain('left alone large.bin: EFBIG');
    expect(limited.stderr).toMatch(/this tries again: belay redo s\n/);
    expect([place.file('a.txt'), exists(place, 'large.bin')]).toEqual(['two\n', false]);
  }
  expect(await place.belay(['redo', 's'])).toMatchObject({ code: 0, stdout: 'restored large.bin\n' });
  expect(statSync(path.join(place.repository, 'large.bin')).size).toBe(12_000_000);
  expect(await place.belay(['redo', 's'])).toMatchObject({ code: 42 });
  expect(await place.belay(['undo', 's', '--files'])).toMatchObject({ code: 0 });
  expect([place.file('a.txt'), exists(place, 'large.bin')]).toEqual(['one\n', false]);
});

test.each([['log'], ['redo'], ['resume']])(
  'what an interrupted undo left alone is named by %s, which finishes it',
  async (command) => {
    const place = placeWithData();
    await run(place, [bash('echo two > a.txt'), say('Done.')]);
    const ledger = await openStore({ home: place.home }).openWriter('s');
    const left = [{ path: 'b.txt', why: 'somebody else changed it after Belay did' }];
    const plan = {
      undoId: 'u',
      kind: 'undo',
      scope: 'files',
      toSeq: ledger.lastSeq,
      files: [],
      refused: left,
    } as const;
    await ledger.append([{ type: 'undo.planned', ...plan }]);
    await ledger.close();
    const { stdout, stderr } = await place.belay([command, 's']);
    expect(stdout + stderr).toContain('left alone b.txt: somebody else changed it');
    expect((await place.facts('s')).some(({ type }) => type === 'undo.done')).toBe(true);
  },
);
