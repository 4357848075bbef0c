/** Words that a person left for a running agent, which then ends without having heard them. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '#ledger';
import { ended, until } from '../e2e/belay.ts';
import { bash, say } from '../e2e/turns.ts';
import { json, killTree, makeScene } from './provider.ts';

const left = ['The first wish.', 'The second wish.'];
const failing = { ...say('No.'), fail: { kind: 'auth', message: 'no key', times: 1 } };

test.each([
  ['the run was interrupted', [bash('echo $$ > pid; sleep 60')], 'SIGINT', 130],
  ['the agent was killed', [bash('echo $$ > pid; sleep 60')], 'SIGKILL', -1],
  ['the provider refused', [bash('echo $$ > pid; sleep 1'), failing], null, 41],
] as const)('G11: %s: what was queued is heard after the resume, in order, once', async (_how, turns, signal, code) => {
  const scene = await makeScene([...turns, say('Heard.'), say('Heard.'), say('Heard.')]);
  const child = scene.startWith(scene.run);
  const end = ended(child);
  await until(() => existsSync(path.join(scene.repository, 'pid')) && scene.file('pid').trim() !== '');
  const inbox = openStore({ home: scene.home }).inbox('s');
  if (signal === 'SIGKILL') await killTree(child, [Number(scene.file('pid'))]);
  for (const text of left) await inbox.leave({ kind: 'input', text });
  if (signal === 'SIGINT') child.kill(signal);
  expect((await end).code).toBe(code);
  const resume = ['resume', 's', ...json];
  if ((await scene.belayWith(resume)).code === 11) {
    const [action] = (await scene.facts('s')).filter(({ type }) => type === 'action.intended');
    if (action?.type !== 'action.intended') throw new Error('nothing was intended');
    await scene.belay(['settle', 's', action.actionId, 'unknown']);
    await scene.belayWith(resume);
  }
  const heard = scene.server.requests.at(-1)?.text.match(/The \w+ wish\./g);
  expect(heard).toEqual(left);
});
