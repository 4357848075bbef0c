import { expect, test } from 'vitest';
import { ruleReader, sidesOf } from '../../../src/permission/rules/rule-reader.ts';

test('a text is another rule on the other side, and in another place', async () => {
  const read = ruleReader(['Own']);
  const ports = { realPath: async (path: string) => path, home: '/home/me' };
  const { narrowing, allowing } = sidesOf('/home/me/w', ports);
  const stems = async (side: typeof narrowing) =>
    (await read(['Bash(curl*)', 'Nonsense((', 'Own'], side)).map((rule) => rule.kind === 'command' && rule.stem);
  expect(await stems(narrowing)).toEqual([true, false]);
  expect(await stems(allowing)).toEqual([false, false]);
  const reaches = async (side: typeof narrowing) =>
    (await read(['Read(~/w/a/**)'], side)).map((rule) => rule.kind === 'paths' && rule.reaches('a'));
  expect(await reaches(narrowing)).toEqual([true]);
  expect(await reaches(sidesOf('/elsewhere', ports).narrowing)).toEqual([false]);
  expect(await reaches(sidesOf('/home/me/w', { ...ports, home: '/home/you' }).narrowing)).toEqual([false]);
  expect(sidesOf('/w', null)).toEqual({
    narrowing: { narrows: true, workspace: '/w' },
    allowing: { narrows: false, workspace: '/w' },
  });
});

test('a text is read once', async () => {
  const read = ruleReader([]);
  const { allowing } = sidesOf('/w', null);
  const [first] = await read(['Bash(ls)'], allowing);
  const [again] = await read(['Bash(ls)'], allowing);
  expect(first).toBeDefined();
  expect(again).toBe(first);
});
