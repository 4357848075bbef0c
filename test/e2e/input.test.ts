import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ended, entry, makePlace, resultOf } from './belay.ts';
import { say } from './turns.ts';

test.each([
  ['bytes that are no UTF-8', Buffer.from([0x66, 0xff, 0xfe])],
  ['a NUL byte', Buffer.from('a\0b')],
])('a prompt on standard input with %s is refused, and no session begins', async (_, input) => {
  const place = makePlace();
  const child = place.start(['run', '-', '--model', place.script([say('Hi.')])], { input });
  const ran = await ended(child);
  expect(ran).toMatchObject({ code: 42, stdout: '' });
  expect(ran.stderr).toContain('no UTF-8 text');
  expect((await place.belay(['sessions'])).stdout).toBe('');
});

test('words that begin with a dash go behind --; without it the way is told, as JSON where that was asked for', async () => {
  const place = makePlace();
  const model = ['--model', place.script([say('Hi.')])];
  const refused = await place.belay(['run', '- fix it', ...model, '--output-format', 'json']);
  expect(refused).toMatchObject({ code: 42, stderr: expect.stringContaining('behind --') });
  expect(resultOf(refused)).toMatchObject({ exit_code: 42, session_id: null, message: "unknown option '- fix it'" });
  const ran = await place.belay(['run', '--session', 'd', ...model, '--', '- fix it']);
  expect(ran).toMatchObject({ code: 0, stdout: 'Hi.\n' });
  expect(await place.facts('d')).toContainEqual(expect.objectContaining({ type: 'session.start', goal: '- fix it' }));
});

test.runIf(process.platform === 'linux')('a result that cannot be written is no success', async () => {
  const place = makePlace();
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [entry, 'run', 'Hi.', '--model', place.script([say('Hi.')])], {
    cwd: place.repository,
    env: { PATH: process.env['PATH'] ?? '', BELAY_HOME: place.home },
    stdio: ['ignore', full, 'pipe'],
  });
  const ran = await ended(child);
  closeSync(full);
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain('standard output could not be written');
});

test('sessions show prints every setting that holds', async () => {
  const place = makePlace();
  const limits = ['--max-cost', '5', '--price', '3/15', '--max-time', '90s', '--max-tool-calls', '7'];
  await place.belay(['run', 'Hi.', '--session', 's', '--model', place.script([say('Hi.')]), ...limits]);
  const { stdout } = await place.belay(['sessions', 'show', 's']);
  expect(stdout).toMatch(/^limits +--max-rounds 80 --max-tool-calls 7 --max-cost 5 --max-time 90s$/m);
  expect(stdout).toMatch(/^price +3\/15 USD per million tokens$/m);
  expect(stdout).toMatch(/^state +done, Completed \(goal_met, exit code 0\)$/m);
});
