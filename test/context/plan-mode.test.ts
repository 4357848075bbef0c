import { expect, test } from 'vitest';
import { createProjector } from '#context';
import type { FactBody } from '#kernel';
import { factsOf } from './story.ts';

const tool = (name: string, deferred = false) => ({ name, description: name, inputSchema: {}, deferred });
const tools = [tool('Read'), tool('Edit'), tool('EnterPlanMode', true), tool('ExitPlanMode', true)];

/** The request that belongs to these facts. */
function requestAfter(bodies: readonly FactBody[]) {
  const projector = createProjector(tools);
  projector.fold(factsOf(bodies));
  return projector.request();
}

test('plan mode changes neither tools nor prompt, it is told in the messages', () => {
  const planning: readonly FactBody[] = [
    { type: 'session.created', sessionId: 's', workspace: '/w', version: '0' },
    { type: 'settings.changed', by: 'user', mode: 'plan' },
    { type: 'session.start', turnId: 't', goal: 'Fix it.', planner: 'model' },
  ];
  const working: readonly FactBody[] = [
    ...planning,
    { type: 'model.request', requestId: 'r', model: 'm', messages: 1, bytes: 1 },
    { type: 'model.response', requestId: 'r', parts: [{ kind: 'text', text: 'A plan.' }], finish: 'stop', usage: {} },
    { type: 'mode.changed', mode: 'default', by: 'plan', plan: 'A plan.' },
  ];
  const [before, after] = [requestAfter(planning), requestAfter(working)];
  expect(after.tools).toEqual(before.tools);
  expect(after.system).toBe(before.system);
  expect(before.messages.at(-1)).toMatchObject({ text: expect.stringContaining('Plan mode is on') });
  expect(after.messages.at(-1)).toMatchObject({ text: expect.stringContaining('now default') });
});

test('entering it adds the way out behind the tools that were there, and takes none away', () => {
  const working: readonly FactBody[] = [
    { type: 'session.created', sessionId: 's', workspace: '/w', version: '0' },
    { type: 'session.start', turnId: 't', goal: 'Fix it.', planner: 'model' },
  ];
  const planning: readonly FactBody[] = [...working, { type: 'mode.changed', mode: 'plan', by: 'model' }];
  const names = [working, planning].map((facts) => requestAfter(facts).tools.map(({ name }) => name));
  expect(names).toEqual([
    ['Read', 'Edit'],
    ['Read', 'Edit', 'ExitPlanMode'],
  ]);
});
