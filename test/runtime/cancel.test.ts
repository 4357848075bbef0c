/** A cancel may come at any moment: every call gets exactly one result, and none is told wrongly. */
import { expect, test } from 'vitest';
import type { ModelResult } from '#kernel';
import { harness, type LocalTool, localTools, modelPlanner } from './harness.ts';

const tools: { readonly [name: string]: LocalTool } = {
  Bash: { effect: 'process', run: () => ({ status: 'succeeded', output: 'ran' }) },
};
const calls = [{ tool: 'Bash' }, { tool: 'Bash' }];

test('an answer that was complete before the cancel reached it leaves no call open', async () => {
  let answered: (result: ModelResult) => void = () => {};
  const planner = modelPlanner([]);
  const h = await harness({
    planner: { ...planner, generate: () => new Promise((resolve) => (answered = resolve)) },
    tools: localTools(tools),
    record: false,
  });
  const run = h.session.run('go');
  while (h.session.state.turn?.request == null) await new Promise((resolve) => setImmediate(resolve));
  await h.session.cancel('me');
  answered({
    ok: true,
    answer: {
      parts: calls.map((call, i) => ({ kind: 'call' as const, name: call.tool, args: {}, providerCallId: `p${i}` })),
      finish: 'tool-calls',
      usage: {},
    },
  });
  expect(await run).toMatchObject({ kind: 'finish', reason: 'cancelled' });
  const verdicts = h.facts().filter((fact) => fact.type === 'action.verdict');
  expect(verdicts.map((fact) => fact.verdict)).toEqual(['cancel', 'cancel']);
});

test('a cancel between two calls of an answer closes the rest of them', async () => {
  const h = await harness({
    planner: modelPlanner([{ calls }, { text: 'done' }]),
    tools: localTools(tools),
    record: false,
  });
  h.session.subscribe(1, (fact) => {
    if (fact.type === 'attempt.outcome') void h.session.cancel('me');
  });
  expect(await h.session.run('go')).toMatchObject({ kind: 'finish', reason: 'cancelled' });
  const facts = h.facts();
  expect(facts.filter((fact) => fact.type === 'attempt.outcome')).toHaveLength(1);
  expect(facts.filter((fact) => fact.type === 'action.verdict' && fact.verdict === 'cancel')).toHaveLength(1);
});
