import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ended, entry, makePlace, resultOf, until } from './belay.ts';
import { bash, read, say } from './turns.ts';

const json = ['--output-format', 'json'];
const bypass = ['--permission-mode', 'bypassPermissions'];

test('an outcome that nobody knows stops with 11; an answer settles it, and the model is told exactly that', async () => {
  const place = makePlace();
  const turns = [
    bash('echo half way; echo $$ > pid; sleep 60'),
    { text: 'I see.', expect: { shown: 'did not take effect' } },
  ];
  const child = place.start(['run', 'Wait.', '--session', 'u', '--model', place.script(turns), ...bypass]);
  const end = ended(child);
  await until(() => existsSync(path.join(place.repository, 'pid')) && place.file('pid').trim() !== '');
  child.kill('SIGKILL');
  await end;
  killSession(Number(place.file('pid')));

  const resumed = resultOf(await place.belay(['resume', 'u', ...json]));
  expect(resumed).toMatchObject({ exit_code: 11, unknown: [{ tool: 'Bash' }] });
  const asked = await place.belay(['resume', 'u']);
  expect(asked).toMatchObject({ code: 11, stderr: expect.stringMatching(/outcome unknown: .*\n +\| half way\n/) });
  const action = resumed.unknown[0]?.action_id ?? '';
  expect((await place.belay(['settle', 'u', action, 'maybe'])).code).toBe(42);
  expect((await place.belay(['settle', 'u', 'other', 'applied'])).code).toBe(42);
  const settled = await place.belay(['settle', 'u', action, 'not-applied', '--note', 'looked']);
  expect(settled).toMatchObject({ code: 0, stdout: 'settled as not-applied (recorded)\n' });
  expect(await place.belay(['resume', 'u'])).toMatchObject({ code: 0, stdout: 'I see.\n' });
});

test('cancel stops a turn that another process runs, and ends one that is paused; each call gets its result', async () => {
  const place = makePlace();
  const model = place.script([bash('echo on > started; sleep 60'), say('Over.')]);
  const child = place.start(['run', 'Wait.', '--session', 'c', '--model', model, ...bypass, ...json]);
  const end = ended(child);
  await until(() => existsSync(path.join(place.repository, 'started')));
  expect(await place.belay(['cancel', 'c'])).toMatchObject({
    code: 0,
    // The agent may be gone before the visitor looks whether it still holds the session.
    stdout: expect.stringMatching(/^cancelled \((recorded|left for the running agent)/),
  });
  expect(resultOf(await end)).toMatchObject({ exit_code: 1, reason: 'cancelled' });
  expect(await place.belay(['cancel', 'c'])).toMatchObject({ code: 42 });

  const paused = [
    'run',
    'Go.',
    '--session',
    'p',
    '--model',
    place.script([bash('echo x > y'), say('Over.')], 'p.json'),
  ];
  expect((await place.belay([...paused, '--permission-mode', 'default'])).code).toBe(10);
  expect(await place.belay(['cancel', 'p'])).toMatchObject({ code: 0, stdout: 'cancelled (recorded)\n' });
  expect(resultOf(await place.belay(['resume', 'p', ...json]))).toMatchObject({ reason: 'cancelled', pending: [] });
  expect(await place.belay(['cancel', 'none'])).toMatchObject({ code: 42 });
});

/** Kills the command together with the shells that supervise it, as a machine out of memory might. */
function killSession(pid: number): void {
  const session = spawnSync('ps', ['-o', 'sid=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  spawnSync('pkill', ['-KILL', '-s', session]);
}

test('a second interrupt ends the program at once, and the session can still be resumed', async () => {
  const place = makePlace();
  const stubborn = `trap '' TERM INT; echo on > started; for i in $(seq 25); do sleep 0.1; done`;
  const model = place.script([bash(stubborn), say('Over.')]);
  const child = place.start(['run', 'Wait.', '--session', 'z', '--model', model, ...bypass]);
  const end = ended(child);
  let said = '';
  child.stderr?.on('data', (text: string) => {
    said += text;
  });
  await until(() => existsSync(path.join(place.repository, 'started')));
  child.kill('SIGINT');
  await until(() => said.includes('once more ends at once'));
  child.kill('SIGINT');
  expect((await end).code).toBe(130);
  const ran = await place.belay(['resume', 'z', ...json]);
  expect([0, 11]).toContain(ran.code);
});

test('instructions that change or go between two runs are told to the model', async () => {
  const place = makePlace();
  place.write('AGENTS.md', 'Use tabs.');
  const model = place.script([
    { text: 'One.', expect: { system: 'Use tabs.' } },
    { text: 'Two.', expect: { shown: 'Use spaces.' } },
    { text: 'Three.', expect: { shown: 'no project instructions any more' } },
  ]);
  expect((await place.belay(['run', 'Hi.', '--session', 'i', '--model', model])).code).toBe(0);
  place.write('AGENTS.md', 'Use spaces.');
  expect((await place.belay(['resume', 'i', 'Again.'])).stdout).toBe('Two.\n');
  place.write('AGENTS.md', '');
  expect((await place.belay(['resume', 'i', 'Again.'])).stdout).toBe('Three.\n');
});

test('keys of the user never reach a command', async () => {
  const place = makePlace();
  const model = place.script([bash('env'), { text: 'Looked.', expect: { notShown: 'sk-secret' } }]);
  const env = { ANTHROPIC_API_KEY: 'sk-secret', MY_TOKEN: 'sk-secret-2' };
  const ran = await place.belay(['run', 'Look.', '--session', 'k', '--model', model, ...bypass], { env });
  expect(ran).toMatchObject({ code: 0, stdout: 'Looked.\n' });
  const files = readdirSync(path.join(place.home, 'sessions', 'k'), { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('ledger.log'))) {
    expect(readFileSync(path.join(place.home, 'sessions', 'k', file), 'latin1')).not.toContain('sk-secret');
  }
});

/** A small disk of our own, where user namespaces (or root) allow it. */
const ownDisks = spawnSync('unshare', ['-Urm', 'true']).status === 0;
if (ownDisks) {
  test('without room for the output of a command it does not run, and the program exits 56', async () => {
    const place = makePlace();
    mkdirSync(place.home, { recursive: true });
    const model = place.script([read('README.md'), bash('touch ran'), say('Done.')]);
    const mount = 'mount -t tmpfs -o size=2m tmpfs "$0" && "$@"; code=$?; cp -r "$0" "$0.copy"; exit $code';
    const command = [process.execPath, entry, 'run', 'Go.', '--session', 'f', '--model', model, ...bypass, ...json];
    const child = spawn('unshare', ['-Urm', 'sh', '-c', mount, place.home, ...command], {
      cwd: place.repository,
      env: { ...process.env, BELAY_HOME: place.home },
    });
    const ran = await ended(child);
    expect(ran.code).toBe(56);
    expect(resultOf(ran)).toMatchObject({ exit_code: 56, reason: 'store' });
    expect(existsSync(path.join(place.repository, 'ran'))).toBe(false);
    const { openStore } = await import('#ledger');
    const { facts } = await openStore({ home: `${place.home}.copy` }).openReader('f');
    expect(facts.some((fact) => fact.type === 'attempt.start' && fact.effect === 'process')).toBe(false);
    expect(facts.some((fact) => fact.type === 'attempt.outcome')).toBe(true);
  });
}
