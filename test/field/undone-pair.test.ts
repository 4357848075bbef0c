import { expect, test } from 'vitest';
import { json, makeScene } from './provider.ts';

/** The provider refuses calls without results, and results without calls. */
test.each([0, 1, 2, 3])('A26: undo takes back calls together with their results (wire %i)', async (wire) => {
  const calls = ['echo one > one.txt', 'echo two > two.txt'].map((command) => ({ tool: 'Bash', args: { command } }));
  const answer = { text: 'Done.' };
  const scene = await makeScene([{ calls }, answer, answer, answer], wire);
  expect((await scene.belayWith(scene.run)).code).toBe(0);
  expect((await scene.belay(['undo', 's'])).code).toBe(0);
  const again = await scene.belayWith(['resume', 's', 'Go on.', ...json]);
  expect({ code: again.code, stderr: again.stderr }).toMatchObject({ code: 0 });
  expect(scene.server.requests.map(({ status }) => status)).not.toContain(400);
});
