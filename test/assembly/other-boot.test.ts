/** The machine was restarted: the same session under another boot id, with what a power loss took away. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fold } from '#kernel';
import { openStore } from '#ledger';
import type { OpenedSession } from '#surfaces/cli';
import { bootChange } from '../../src/assembly/sessions/boot-change.ts';
import { createNew, openKnown } from '../../src/assembly/sessions/opening.ts';
import { CUT_VARIABLE, type Cut } from '../crash/cut.ts';
import { ended, entry, makePlace, type Place, until } from '../e2e/belay.ts';
import { bash, edit, fix, read, test as runTest, say } from '../e2e/turns.ts';

const around = (place: Place, bootId: string) => ({
  store: openStore({ home: place.home }),
  env: { ...process.env, BELAY_HOME: place.home },
  cwd: place.folder,
  bootId,
});
const signal = new AbortController().signal;

async function start(place: Place, turns: readonly object[], maxRounds: number): Promise<OpenedSession> {
  const settings = {
    model: place.script(turns),
    checks: [{ command: 'node --test', counts: true }],
    allow: ['Edit(**)', 'Bash(sleep *)'],
    limits: { maxRounds },
  };
  const made = await createNew({ cwd: place.repository, sessionId: 's', settings, signal }, around(place, 'boot-1'));
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

async function reopen(place: Place, bootId = 'boot-2'): Promise<OpenedSession> {
  const settings = { limits: { maxRounds: 20 } };
  const made = await openKnown({ sessionId: 's', settings, signal }, around(place, bootId));
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

test('evidence of the boot before is void, recent commands are told as not confirmed, and the work goes on', async () => {
  const place = makePlace();
  const told = { text: 'Done.', expect: { history: 'effect not confirmed: call_' } };
  const first = await start(place, [...fix.slice(0, 2), bash('sleep 0'), runTest, told, runTest, told], 4);
  await first.session.run('Fix it.');
  expect(first.session.state.evidence).toMatchObject([{ passed: true }]);
  await first.close('paused');

  const second = await reopen(place);
  expect(second.notices.join()).toContain('restarted');
  const pull = await second.session.resume();
  await second.close('done');
  expect(pull).toMatchObject({ kind: 'finish', verified: true });
  const facts = await place.facts('s');
  const changed = facts.find((fact) => fact.type === 'boot.changed');
  const commands = facts.flatMap((fact) =>
    fact.type === 'attempt.start' && fact.effect === 'process' ? [fact.actionId] : [],
  );
  expect(changed).toMatchObject({ from: 'boot-1', to: 'boot-2', unconfirmed: commands.slice(0, 2) });
  // The check of the first boot stood behind nothing: it had to pass again.
  expect(facts.filter((fact) => fact.type === 'evidence.recorded')).toHaveLength(2);

  const third = await reopen(place);
  await third.close('looked');
  expect((await place.facts('s')).filter((fact) => fact.type === 'boot.changed')).toHaveLength(1);
});

test.each<readonly [string, (place: Place) => Promise<unknown>]>([
  ['an approval', (place) => place.belay(['approve', 's'])],
  [
    'a repair',
    async (place) => {
      const file = path.join(place.home, 'sessions/s/ledger.log');
      const bytes = readFileSync(file);
      // One byte of the answer that asked for the edit.
      const at = bytes.lastIndexOf('new_string');
      writeFileSync(file, Buffer.from([...bytes.subarray(0, at), bytes[at]! ^ 1, ...bytes.subarray(at + 1)]));
      expect((await place.belay(['sessions', 'repair', 's'])).code).toBe(0);
    },
  ],
])('what was not confirmed is told by the resume, also where %s came first', async (_who, visit) => {
  const place = makePlace();
  const turns = [
    bash('sleep 0'),
    read('src/slugify.js'),
    edit('src/slugify.js', "words.join('_')", "words.join('-')"),
    say('Done.'),
  ];
  const settings = { model: place.script(turns), allow: ['Bash(sleep *)'] };
  // The machine stopped two hours ago.
  const store = openStore({ home: place.home, now: () => Date.now() - 7_200_000 });
  const before = { ...around(place, 'boot-1'), store };
  const made = await createNew({ cwd: place.repository, sessionId: 's', settings, signal }, before);
  if (!made.ok) throw new Error(made.error.message);
  expect(await made.value.session.run('Go.')).toMatchObject({ kind: 'approval' });
  await made.value.close('paused');
  await visit(place);
  const second = await reopen(place);
  await second.close('looked');
  const changed = (await place.facts('s')).find((fact) => fact.type === 'boot.changed');
  expect(changed).toMatchObject({ unconfirmed: [expect.any(String)] });
});

test('an undo is the first to attach after a restart: it tells of it, also where it undoes nothing', async () => {
  const place = makePlace();
  const first = await start(place, [bash('sleep 0'), say('Done.')], 4);
  await first.session.run('Go.');
  await first.close('paused');
  expect((await place.belay(['undo', 's', '--to', '100000'])).code).not.toBe(0);
  const facts = await place.facts('s');
  const told = facts.findIndex(({ type }) => type === 'boot.changed');
  expect(facts[told]).toMatchObject({ from: 'boot-1', unconfirmed: [expect.any(String)] });
  expect(facts[told + 1]).toMatchObject({ type: 'executor.attached' });
});

const changing = [
  read('src/slugify.js'),
  { calls: [{ tool: 'Write', args: { file_path: 'made.txt', content: 'made\n' } }] },
  bash('sleep 0'),
  say('Done.'),
];

test('an undo after a restart brings the files back, and what it restored is not taken for a change from outside', async () => {
  const place = makePlace();
  const first = await start(place, changing, 6);
  await first.session.run('Go.');
  await first.close('paused');
  expect(place.file('made.txt')).toBe('made\n');
  const undone = await place.belay(['undo', 's', '--to', '1', '--files']);
  expect(undone).toMatchObject({ code: 0, stdout: 'removed made.txt\n' });
  const types = (await place.facts('s')).map(({ type }) => type);
  expect(types.indexOf('boot.changed')).toBeLessThan(types.indexOf('undo.planned'));
  const redone = await place.belay(['redo', 's']);
  expect(redone.code).toBe(0);
  expect(place.file('made.txt')).toBe('made\n');
  // One restart is told once, and the next one by whoever comes then.
  const next = await reopen(place, 'boot-3');
  await next.close('looked');
  const facts = await place.facts('s');
  expect(facts.filter(({ type }) => type === 'boot.changed')).toHaveLength(2);
  expect(facts.filter(({ type }) => type === 'workspace.rebased')).toEqual([]);
});

test.each<Cut>([
  { at: 'disk', n: 14 },
  { at: 'disk', n: 22 },
])('an undo that the power loss interrupted (%j, or soon after) is finished in the next boot', async ({ at, n }) => {
  const place = makePlace();
  const first = await start(place, changing, 6);
  await first.session.run('Go.');
  await first.close('paused');
  const agent = path.resolve(import.meta.dirname, '../crash/agent.ts');
  const { PATH = '', HOME = '' } = process.env;
  // The first cut that leaves it half done.
  for (let later = 0; fold(await place.facts('s')).undo.pending === null; later += 2) {
    const child = spawn(process.execPath, [agent, 'undo', 's', '--to', '1', '--files'], {
      cwd: place.repository,
      env: { PATH, HOME, BELAY_HOME: place.home, [CUT_VARIABLE]: JSON.stringify({ at, n: n + later }) },
      stdio: 'pipe',
      detached: true,
    });
    await ended(child);
    expect(child.signalCode).toBe('SIGKILL');
  }

  const next = await reopen(place, 'boot-3');
  await next.close('looked');
  const facts = await place.facts('s');
  expect(fold(facts).undo.pending).toBeNull();
  expect(facts.findLast(({ type }) => type === 'undo.done')).toMatchObject({ restored: ['made.txt'], refused: [] });
  expect(readdirSync(place.repository).filter((name) => name === 'made.txt' || name.startsWith('.belay-'))).toEqual([]);
  expect(facts.filter(({ type }) => type === 'boot.changed')).toMatchObject([{ from: 'boot-1' }, { to: 'boot-3' }]);
});

test('an edit that the power loss took back is a change from outside', async () => {
  const place = makePlace();
  const before = place.file('src/slugify.js');
  const turns = [...fix.slice(0, 2), read('src/slugify.js'), { text: 'Gone.', expect: { history: 'was restarted' } }];
  const first = await start(place, turns, 2);
  await first.session.run('Fix it.');
  await first.close('paused');
  place.write('src/slugify.js', before);
  const second = await reopen(place);
  await second.session.resume();
  await second.close('done');
  expect((await place.facts('s')).find((fact) => fact.type === 'workspace.rebased')).toMatchObject({
    changed: ['src/slugify.js'],
  });
});

test('a command that ran when the power went is a question, whatever its receipt says', async () => {
  const place = makePlace();
  const model = place.script([bash('echo before; sleep 60'), say('Over.')]);
  const args = ['run', 'Go.', '--session', 's', '--model', model, '--permission-mode', 'bypassPermissions'];
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [entry, ...args], {
    env: { PATH, HOME, BELAY_HOME: place.home },
    stdio: 'ignore',
  });
  const started = async () => (await place.facts('s').catch(() => [])).find((fact) => fact.type === 'attempt.start');
  await until(async () => (await started()) !== undefined);
  const attempt = await started();
  const folder = path.join(place.home, 'sessions/s/exec', attempt?.type === 'attempt.start' ? attempt.attemptId : '');
  await until(() => {
    try {
      return readFileSync(path.join(folder, 'out'), 'utf8') !== '';
    } catch {
      return false;
    }
  });
  child.kill('SIGKILL');
  const leader = Number(readFileSync(path.join(folder, 'claim'), 'utf8').split(' ')[0]);
  process.kill(-leader, 'SIGKILL');
  writeFileSync(path.join(folder, 'rc'), 'v1 forged exit 0 x end\n');

  const second = await reopen(place);
  const pull = await second.session.resume();
  await second.close('asked');
  expect(pull).toMatchObject({ kind: 'pause', reason: expect.stringMatching(/^unknown:/) });
  expect((await place.facts('s')).find((fact) => fact.type === 'attempt.outcome')).toMatchObject({
    status: 'unknown',
    settling: { probe: 'process', verdict: 'unknown', observed: expect.stringContaining('restarted') },
  });
});

test('that a background command started is no end of it; its end is', () => {
  const call = (actionId: string): object[] => [
    { type: 'attempt.start', actionId, attemptId: `${actionId}.1`, executorId: 'e', effect: 'process' },
    { type: 'attempt.outcome', actionId, attemptId: `${actionId}.1`, status: 'succeeded', output: '' },
    { type: 'task.started', actionId, attemptId: `${actionId}.1`, command: 'x', timeoutMs: 1 },
  ];
  const end = { type: 'task.ended', actionId: 'b', status: 'exited', exitCode: 0, output: '', outputBytes: 0 };
  const attached = { type: 'executor.attached', executorId: 'e', bootId: 'before', pid: 1 };
  const facts = [attached, ...call('a'), ...call('b'), end].map((body, i) => ({ ...body, seq: i + 1, ts: 1 }) as never);
  expect(bootChange(facts, 'now')).toMatchObject({ unconfirmed: ['b'] });
});

test.each([
  ['never driven', [], null],
  ['the same boot', [{ type: 'executor.attached', executorId: 'e', bootId: 'now', pid: 1 }], null],
])('nothing is told of a session that was %s', (_name, bodies, expected) => {
  const facts = bodies.map((body, i) => ({ ...body, seq: i + 1, ts: 1 }) as never);
  expect(bootChange(facts, 'now')).toBe(expected);
});
