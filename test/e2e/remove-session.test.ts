/** `belay sessions rm` takes all that a session remembers, and nothing that still runs. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { keepAbsent, markAtWork } from '../../src/assembly/sandbox/absent-places.ts';
import { ended, makePlace, type Place, until } from './belay.ts';
import { bash, say } from './turns.ts';

const free = ['--permission-mode', 'bypassPermissions'];
const write = (file_path: string, content: string) => ({ calls: [{ tool: 'Write', args: { file_path, content } }] });
const run = (place: Place, turns: readonly object[], session: string) =>
  place.belay(['run', 'Go.', '--session', session, '--model', place.script(turns), ...free]);
const remove = (place: Place, session: string) => place.belay(['sessions', 'rm', session]);

test('a session whose agent was killed stays while its command runs, and goes when that has ended', async () => {
  const place = makePlace();
  const model = place.script([bash('touch mark; while [ ! -e go.tmp ]; do sleep 0.05; done'), say('Done.')]);
  const child = place.start(['run', 'Go.', '--session', 's', '--model', model, ...free]);
  await until(() => existsSync(path.join(place.repository, 'mark')));
  child.kill('SIGKILL');
  await ended(child);
  const refused = { code: 42, stdout: '', stderr: expect.stringContaining('a command of session s still runs; wait') };
  expect(await remove(place, 's')).toMatchObject(refused);
  expect((await place.facts('s')).length).toBeGreaterThan(0);
  place.write('go.tmp', '');
  await until(async () => (await remove(place, 's')).code === 0);
  expect(readdirSync(path.join(place.home, 'sessions')).filter((name) => name.includes('s'))).toEqual([]);
});

test('what a command of a killed agent planted is put out of its name and told, because only the session knew', async () => {
  const place = makePlace();
  await run(place, [say('Done.')], 's');
  const at = { sessionFolder: path.join(place.home, 'sessions/s'), shared: null, bootId: 'boot' };
  // As an agent leaves it that is killed while a command runs in the sandbox.
  const planted = path.join(place.repository, '.envrc');
  keepAbsent(at, { absent: [], starters: [planted], told: [] });
  markAtWork(at, true);
  place.write('.envrc', 'evil');
  const removed = await remove(place, 's');
  expect(removed).toMatchObject({ code: 0, stdout: 'removed s\n' });
  expect(removed.stderr).toContain(`${planted} starts programs outside the sandbox later; it was moved to ${planted}.`);
  const left = readdirSync(place.repository).filter((name) => name.startsWith('.envrc'));
  expect(left).toEqual([expect.stringMatching(/^\.envrc\.refused-\d+$/)]);
});

test('contents kept for an undo go with the last session of the folder, and until then it is told that they stay', async () => {
  const place = makePlace();
  await run(place, [write('.env', 'TOKEN=1\n'), bash('echo TOKEN=2 > .env'), say('Done.')], 'a');
  await run(place, [say('Done.')], 'b');
  const [workspace = ''] = readdirSync(path.join(place.home, 'workspaces'));
  const kept = path.join(place.home, 'workspaces', workspace, 'checkpoints');
  expect(existsSync(kept)).toBe(true);
  const first = await remove(place, 'a');
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining(`other sessions of ${place.repository}`) });
  expect(existsSync(kept)).toBe(true);
  expect(await remove(place, 'b')).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(path.dirname(kept)).filter((name) => name !== 'edit.lock')).toEqual([]);
});
