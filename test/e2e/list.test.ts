import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { entry, makePlace } from './belay.ts';
import { say } from './turns.ts';

test('the list is the same from its own small program, from its index and from the whole command line', async () => {
  const place = makePlace();
  const model = place.script([say('Hello.')]);
  for (const id of ['one', 'two', 'bad'])
    await place.belay(['run', `Say "hellö" to ${id}.`, '--session', id, '--model', model]);
  const file = path.join(place.home, 'sessions', 'bad', 'ledger.log');
  const bytes = readFileSync(file);
  bytes[60] = (bytes[60] ?? 0) ^ 1;
  writeFileSync(file, bytes);
  // Twice the same option is left to the whole command line.
  const whole = await place.belay(['sessions', '--json', '--json']);
  const rows = whole.stdout.trimEnd().split('\n');
  expect(rows.map((row) => JSON.parse(row))).toMatchObject([
    { sessionId: 'bad', damaged: true },
    { sessionId: 'two', goal: 'Say "hellö" to two.', damaged: false },
    { sessionId: 'one', damaged: false },
  ]);
  await new Promise((resolve) => setTimeout(resolve, 150));
  for (let look = 0; look < 3; look++) {
    expect(await place.belay(['sessions', 'list', '--json'])).toEqual(whole);
    const lines = (await place.belay(['sessions'])).stdout.split('\n');
    expect(lines[0]).toMatch(/^bad {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}damaged /);
    expect(lines[1]).toContain(`  done        Say "hellö" to two.  ${place.repository}`);
    expect(lines).toHaveLength(4);
  }
});

test('what the small program cannot answer, the whole command line does', async () => {
  const place = makePlace();
  expect(await place.belay(['sessions', '--bogus'])).toMatchObject({ code: 42, stdout: '' });
  expect((await place.belay(['sessions', '--help'])).stdout).toContain('Usage: belay sessions');
  expect(await place.belay(['sessions'])).toEqual({
    code: 0,
    stdout: '',
    stderr: 'No sessions yet. belay run "…" starts one.\n',
  });
  const loop = path.join(place.folder, 'loop');
  symlinkSync('loop', loop);
  const failed = await place.belay(['sessions', '--json'], { env: { BELAY_HOME: loop } });
  expect(failed).toMatchObject({ code: 56, stdout: '' });
  expect(failed.stderr).toContain(loop);
});

test('one line per session, also where the path of its workspace holds line ends and control characters', async () => {
  const place = makePlace();
  const odd = path.join(place.folder, 'a\nb\tc\u001b[31md');
  mkdirSync(odd);
  await place.belay(['run', 'Say hello.', '--session', 'odd', '--model', place.script([say('Hello.')])], { cwd: odd });
  const lines = (await place.belay(['sessions'])).stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`${place.folder}/a\ufffdb\ufffdc\ufffd[31md`);
});

test.each(['sessions', 'run hi', 'doctor'])('in a folder that was removed, %s says so', (words) => {
  const place = makePlace();
  const gone = path.join(place.folder, 'gone');
  mkdirSync(gone);
  const script = 'cd "$1" && rmdir "$1" && shift && exec "$@"';
  const command = ['-c', script, 'sh', gone, process.execPath, entry, ...words.split(' ')];
  const { status, stdout, stderr } = spawnSync('/bin/sh', command, { encoding: 'utf8', cwd: place.folder });
  expect({ status, stdout }).toEqual({ status: 42, stdout: '' });
  expect(stderr).toBe(
    'belay: the current folder was removed or cannot be entered; change to another one and try again\n',
  );
});

test('a ledger that is a pipe is a damaged session, and holds up no list', async () => {
  const place = makePlace();
  const model = place.script([say('Hello.')]);
  for (const id of ['one', 'two']) await place.belay(['run', 'Say hello.', '--session', id, '--model', model]);
  const file = path.join(place.home, 'sessions', 'one', 'ledger.log');
  rmSync(file);
  spawnSync('mkfifo', [file]);
  const rows = (await place.belay(['sessions', '--json'])).stdout.trimEnd().split('\n');
  expect(rows.map((row) => JSON.parse(row))).toMatchObject([{ damaged: true }, { sessionId: 'two', damaged: false }]);
  for (const command of ['log', 'sessions verify', 'resume']) {
    const ran = await place.belay([...command.split(' '), 'one']);
    expect({ command, ...ran }).toMatchObject({ code: 56 });
    expect(ran.stderr).toContain('is no regular file');
  }
});

test('pipes in the place of what a session keeps besides its ledger hold up no resume', async () => {
  const place = makePlace();
  const model = place.script([say('Hello.'), say('Again.')]);
  await place.belay(['run', 'Say hello.', '--session', 'one', '--model', model]);
  for (const name of ['state.json', 'last-scan.json', 'ledger.end', 'owner.json']) {
    const file = path.join(place.home, 'sessions', 'one', name);
    rmSync(file, { force: true });
    spawnSync('mkfifo', [file]);
  }
  // Whoever writes them anew finds a pipe without a reader: that is refused by the system, and costs nothing.
  expect(await place.belay(['resume', 'one', 'Once more.'])).toMatchObject({ code: 0 });
});
