import { expect, test } from 'vitest';
import { createProjector } from '#context';
import { harness, localTools, modelPlanner } from '../runtime/harness.ts';

test('G13: a tool that ignores the abort and answers later gives its call exactly one result', async () => {
  let answer: () => void = () => {};
  const tools = localTools({
    Bash: {
      effect: 'opaque',
      run: () =>
        new Promise((resolve) => {
          answer = () => resolve({ status: 'succeeded', output: 'late' });
        }),
    },
  });
  const h = await harness({
    planner: modelPlanner([{ calls: [{ tool: 'Bash' }] }, { text: 'done' }]),
    tools,
    record: false,
  });
  const run = h.session.run('go');
  while (!h.facts().some((fact) => fact.type === 'attempt.start')) await new Promise(setImmediate);
  await h.session.cancel('me');
  await new Promise((resolve) => setTimeout(resolve, 20));
  answer();
  expect(await run).toMatchObject({ kind: 'finish', reason: 'cancelled' });
  const facts = h.facts();
  expect(facts.filter((fact) => fact.type === 'attempt.outcome')).toHaveLength(1);
  const projector = createProjector([]);
  projector.fold(facts);
  const results = projector.request().messages.flatMap((message) => (message.role === 'tool' ? message.results : []));
  expect(results).toMatchObject([{ text: 'late' }]);
});
