import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ended, resultOf, until } from '../e2e/belay.ts';
import { bash, say } from '../e2e/turns.ts';
import { json, killTree, makeScene, resultsIn, type Scene } from './provider.ts';

const calls = (...commands: string[]) => ({ calls: commands.map((command) => ({ tool: 'Bash', args: { command } })) });
const file = (scene: Scene, name: string) => path.join(scene.repository, name);
const has = (scene: Scene, name: string) => existsSync(file(scene, name)) && scene.file(name).trim() !== '';
const pids = (scene: Scene) => [Number(scene.file('pid'))];

test.each([0, 1, 2, 3])(
  'A02: killed with its command between call and result: the history is valid and nothing is run by the resume (wire %i)',
  async (wire) => {
    const scene = await makeScene([bash('echo $$ > pid; sleep 20; echo x >> f'), say('I see.')], wire);
    const child = scene.startWith(scene.run);
    await until(() => has(scene, 'pid'));
    await killTree(child, pids(scene));
    const asked = resultOf(await scene.belayWith(['resume', 's', ...json]));
    expect(asked).toMatchObject({ exit_code: 11, unknown: [{ tool: 'Bash' }] });
    await scene.belay(['settle', 's', asked.unknown[0]?.action_id ?? '', 'unknown']);
    expect(resultOf(await scene.belayWith(['resume', 's', ...json]))).toMatchObject({ exit_code: 0, result: 'I see.' });
    expect(scene.server.requests.map(({ status }) => status)).toEqual([200, 200]);
    expect(resultsIn(scene.server)).toMatchObject([{ text: expect.stringContaining('not known') }]);
    expect(existsSync(file(scene, 'f'))).toBe(false);
  },
);

test('A15: a finished effect is not repeated when a later call is killed', async () => {
  const scene = await makeScene([bash('echo x >> f'), bash('echo $$ > pid; sleep 20'), say('Done.')]);
  const child = scene.startWith(scene.run);
  await until(() => has(scene, 'pid'));
  await killTree(child, pids(scene));
  const asked = resultOf(await scene.belayWith(['resume', 's', ...json]));
  await scene.belay(['settle', 's', asked.unknown[0]?.action_id ?? '', 'not-applied']);
  expect((await scene.belayWith(['resume', 's', ...json])).code).toBe(0);
  expect(scene.file('f')).toBe('x\n');
});

test('A16: an effect without a stored result is unknown; the same call again is a new one with a permission of its own', async () => {
  const command = 'echo x >> f; echo $$ > pid; [ -e go ] || { mkfifo q; cat q; }';
  const scene = await makeScene([bash(command), bash(command), say('Done.')]);
  const child = scene.startWith(scene.run);
  await until(() => has(scene, 'pid'));
  await killTree(child, pids(scene));
  expect(scene.file('f')).toBe('x\n');
  const asked = resultOf(await scene.belayWith(['resume', 's', ...json]));
  expect(asked).toMatchObject({ exit_code: 11 });
  expect(scene.file('f')).toBe('x\n');
  scene.write('go', '');
  await scene.belay(['settle', 's', asked.unknown[0]?.action_id ?? '', 'applied']);
  const last = resultOf(await scene.belayWith(['resume', 's', '--permission-mode', 'default', ...json]));
  expect(last).toMatchObject({ exit_code: 10, pending: [{ tool: 'Bash' }] });
  expect(scene.file('f')).toBe('x\n');
  await scene.belay(['approve', 's']);
  expect((await scene.belayWith(['resume', 's', ...json])).code).toBe(0);
  expect(scene.file('f')).toBe('x\nx\n');
});

test('A17: of three calls of one answer two are finished at the kill: both results are kept, in order', async () => {
  const scene = await makeScene([calls('echo one', 'echo two', 'echo $$ > pid; sleep 20'), say('Done.')]);
  const child = scene.startWith(scene.run);
  await until(() => has(scene, 'pid'));
  await killTree(child, pids(scene));
  const asked = resultOf(await scene.belayWith(['resume', 's', ...json]));
  await scene.belay(['settle', 's', asked.unknown[0]?.action_id ?? '', 'unknown']);
  await scene.belayWith(['resume', 's', ...json]);
  expect(resultsIn(scene.server)).toMatchObject([
    { text: expect.stringMatching(/^one\n/), isError: false },
    { text: expect.stringMatching(/^two\n/), isError: false },
    { text: expect.stringContaining('not known'), isError: true },
  ]);
});

test('A08: twenty commands of one answer with much output: each result with its own call, no number missing', async () => {
  const scene = await makeScene([
    calls(
      ...Array.from(
        { length: 20 },
        (_, i) => `echo call-${i}; head -c 70000 /dev/zero | tr '\\0' ${'abcdefghij'[i % 10]}`,
      ),
    ),
    say('Done.'),
  ]);
  expect((await scene.belayWith(scene.run)).code).toBe(0);
  const results = resultsIn(scene.server);
  expect(results.map(({ text }) => text.split('\n')[0])).toEqual(Array.from({ length: 20 }, (_, i) => `call-${i}`));
  const facts = await scene.facts('s');
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, i) => i + 1));
  for (const fact of facts) {
    if (fact.type !== 'attempt.outcome' || fact.blob === undefined) continue;
    const blob = readFileSync(path.join(scene.home, 'sessions', 's', 'blobs', fact.blob), 'latin1');
    expect(blob.slice(0, 8)).toBe(fact.output.slice(0, 8));
  }
});

test('A27: what was shown is still there after a kill in the same instant', async () => {
  const scene = await makeScene([bash('echo shown'), { ...say('Done.'), delayMs: 0 }], 0, {
    faults: [null, { kind: 'silent', afterFrames: 0 }],
  });
  const child = scene.startWith(scene.run);
  await until(() => scene.server.requests.length === 2);
  child.kill('SIGKILL');
  await ended(child);
  const outcome = (await scene.facts('s')).find((fact) => fact.type === 'attempt.outcome');
  expect(outcome).toMatchObject({ output: expect.stringContaining('shown') });
});
