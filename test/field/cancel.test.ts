import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startRepositorySession } from '../../src/assembly/library.ts';
import { ended, makePlace, resultOf, until } from '../e2e/belay.ts';
import { bash, say } from '../e2e/turns.ts';
import type { Fault } from '../servers/fault.ts';
import { background, isRunning, taskScript } from './background.ts';
import { json, makeScene, resultsIn, type Scene } from './provider.ts';

const calls = (...commands: string[]) => ({ calls: commands.map((command) => ({ tool: 'Bash', args: { command } })) });
const has = (scene: Pick<Scene, 'repository' | 'file'>, name: string) =>
  existsSync(path.join(scene.repository, name)) && scene.file(name).trim() !== '';
const requested = (count: number) => (scene: Scene) => scene.server.requests.length >= count;
const slow: Fault = { kind: 'slow', chunkDelayMs: 40 };
const sleeping = bash('echo $$ > pid; sleep 60');
const words = say(`Well. ${'words and '.repeat(200)}more.`);

interface Moment {
  readonly when: string;
  readonly turns: readonly object[];
  readonly faults: readonly (Fault | null)[];
  readonly reached: (scene: Scene) => boolean | Promise<boolean>;
}
const saw = (type: string) => async (scene: Scene) =>
  (await scene.facts('s').catch(() => [])).some((fact) => fact.type === type);
const streaming = async (scene: Scene) => {
  if (scene.server.requests.length === 0) return false;
  await new Promise((resolve) => setTimeout(resolve, 400));
  return true;
};
const moments: readonly Moment[] = [
  {
    when: 'before the first byte',
    turns: [say('Late.')],
    faults: [{ kind: 'silent', afterFrames: 0 }],
    reached: requested(1),
  },
  {
    when: 'after the start of the answer',
    turns: [say('Late.')],
    faults: [{ kind: 'silent', afterFrames: 1 }],
    reached: streaming,
  },
  { when: 'in the text', turns: [words], faults: [slow], reached: streaming },
  {
    when: 'in the arguments of a call',
    turns: [bash(`echo ${'long '.repeat(300)}`)],
    faults: [slow],
    reached: streaming,
  },
  { when: 'in a running command', turns: [sleeping], faults: [], reached: (scene) => has(scene, 'pid') },
  {
    when: 'between two calls',
    turns: [calls('echo one', 'echo two; echo x > pid; sleep 1')],
    faults: [],
    reached: saw('attempt.outcome'),
  },
  {
    when: 'in the wait before another try',
    turns: [{ ...say('Hello.'), fail: { kind: 'transient', times: 1, retryAfterMs: 60_000 } }],
    faults: [],
    reached: saw('model.failed'),
  },
];

/** Each moment over the wire format of another provider. */
describe.each(moments.map((moment, wire) => ({ ...moment, wire })))(
  'cancelled $when',
  ({ turns, faults, reached, wire }) => {
    test('A01, G01, G03, G07, G12: it ends, and the next turn is accepted', async () => {
      const last = { text: 'Here I am.' };
      const scene = await makeScene([...turns, last, last, last], wire, { faults });
      const child = scene.startWith(scene.run);
      const end = ended(child);
      await until(() => reached(scene));
      child.kill('SIGINT');
      const ran = await end;
      expect(ran.code).toBe(130);
      const before = scene.server.requests.length;
      const next = await scene.belayWith(['resume', 's', 'Go on.', ...json]);
      expect({ code: next.code, stderr: next.stderr }).toMatchObject({ code: 0 });
      const later = scene.server.requests.slice(before);
      expect(later.length).toBeGreaterThan(0);
      expect(later.map(({ status }) => status)).not.toContain(400);
      expect(later.map(({ text }) => text).join()).not.toMatch(/"(text|content)":"\s*"/);
    });
  },
);

test('G02: of three calls one is done, one runs, one waits: succeeded, cancelled with its processes, not started', async () => {
  const scene = await makeScene([calls('echo first', 'echo $$ > pid; sleep 60', 'echo third > ran'), say('Seen.')]);
  const child = scene.startWith(scene.run);
  const end = ended(child);
  await until(() => has(scene, 'pid'));
  child.kill('SIGINT');
  expect((await end).code).toBe(130);
  expect(isAlive(Number(scene.file('pid')))).toBe(false);
  await scene.belayWith(['resume', 's', ...json]);
  const [first, second] = resultsIn(scene.server);
  expect(first).toMatchObject({ text: expect.stringMatching(/^first/), isError: false });
  expect(second?.text).toMatch(/cancelled|Stopped/);
});

test('G04: half an answer is not the answer', async () => {
  const scene = await makeScene([words], 0, { faults: [slow] });
  const child = scene.startWith(scene.run);
  const end = ended(child);
  await until(() => streaming(scene));
  child.kill('SIGINT');
  expect(resultOf(await end)).toMatchObject({ exit_code: 130, result: '', is_error: true, reason: 'signal:SIGINT' });
});

test('G07: a stalled stream is left at once, and its connection is closed', async () => {
  const scene = await makeScene([say('Never.')], 0, { faults: [{ kind: 'silent', afterFrames: 1, comments: true }] });
  const child = scene.startWith(scene.run);
  const end = ended(child);
  await until(() => streaming(scene));
  child.kill('SIGINT');
  expect((await end).code).toBe(130);
  await until(() => scene.server.abandoned === 1);
});

test('G06, G18: a cancelled turn leaves a server in the background alone; the end of the session stops it', async () => {
  const place = makePlace();
  const turns = [
    background('echo $$ > server; sleep 60'),
    bash('while [ ! -s server ]; do sleep 0.02; done; echo $$ > pid; sleep 60'),
    { ...say('Seen.'), expect: { notShown: 'The background command' } },
    { ...say('Still there.'), expect: { shown: 'Still running in the background' } },
  ];
  const started = await startRepositorySession({
    cwd: place.repository,
    home: place.home,
    settings: { model: taskScript(place, turns), mode: 'bypassPermissions', sandbox: 'off' },
  });
  if (!started.ok) throw new Error(started.error.message);
  const { session, close } = started.value;
  const pull = session.run('Do it.');
  await until(() => has(place, 'pid'));
  await session.cancel('test');
  expect(await pull).toMatchObject({ kind: 'finish', reason: 'cancelled' });
  const runs = (name: string) => isRunning(Number(place.file(name)), (file) => readFileSync(file, 'latin1'));
  expect({ server: runs('server'), command: runs('pid') }).toEqual({ server: true, command: false });
  expect(await session.run('And now?')).toMatchObject({ kind: 'finish', text: 'Still there.' });
  expect(runs('server')).toBe(true);
  await close('done');
  expect(runs('server')).toBe(false);
});

test('G19: a command that had ended is told as it ended, though the cancel came before the next request', async () => {
  const scene = await makeScene([bash('echo finished'), say('Seen.')], 0, {
    faults: [null, { kind: 'silent', afterFrames: 0 }],
  });
  const child = scene.startWith(scene.run);
  const end = ended(child);
  await until(() => scene.server.requests.length === 2);
  child.kill('SIGINT');
  await end;
  await scene.belayWith(['resume', 's', ...json]);
  expect(resultsIn(scene.server)).toMatchObject([{ text: expect.stringMatching(/^finished/), isError: false }]);
});

test('G20: a denied call tells its reason to the model, and the turn goes on', async () => {
  const scene = await makeScene([bash('echo no'), say('Then not.')]);
  const asking = scene.run.map((word) => (word === 'bypassPermissions' ? 'default' : word));
  expect((await scene.belayWith(asking)).code).toBe(10);
  await scene.belay(['deny', 's', '--note', 'not on a Friday']);
  expect(resultOf(await scene.belayWith(['resume', 's', ...json]))).toMatchObject({
    exit_code: 0,
    result: 'Then not.',
  });
  expect(resultsIn(scene.server)).toMatchObject([{ text: expect.stringContaining('not on a Friday'), isError: true }]);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
