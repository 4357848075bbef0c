import { describe, expect, test } from 'vitest';
import { createProjector } from '#context';
import type { Fact, FactBody, ToolDefinition } from '#kernel';

const tool = (name: string, deferred?: true): ToolDefinition => ({
  name,
  description: name,
  inputSchema: { type: 'object' },
  ...(deferred === undefined ? {} : { deferred }),
});
const tools = [
  tool('Read'),
  tool('TaskOutput', true),
  tool('TaskStop', true),
  tool('ExitPlanMode', true),
  tool('Symbols', true),
  tool('ToolSearch'),
];

/** Names of the tools that a request carries after these facts. */
function shownAfter(...bodies: readonly FactBody[]): readonly string[] {
  const projector = createProjector(tools);
  projector.fold(bodies.map((body, at) => ({ ...body, seq: at + 1, ts: 0 }) as Fact));
  return projector.request().tools.map(({ name }) => name);
}

const core = ['Read', 'ToolSearch'];
const outcome = (output: string): FactBody => ({ type: 'attempt.outcome', actionId: 'a', status: 'succeeded', output });
const call = (name: string): FactBody => ({
  type: 'action.intended',
  actionId: 'a',
  tool: name,
  args: {},
  origin: 'model',
  effect: 'read',
  intent: 'i',
});

describe('a deferred tool is shown', () => {
  test.each<[string, readonly FactBody[], readonly string[]]>([
    ['to nobody at first', [], core],
    ['once it was found', [{ type: 'tools.found', names: ['Symbols'] }], [...core, 'Symbols']],
    ['once it was called', [call('Symbols')], [...core, 'Symbols']],
    [
      'once a command goes on in the background',
      [{ type: 'task.started', actionId: 'a', attemptId: 'b', command: 'x', timeoutMs: 1 }],
      [...core, 'TaskOutput', 'TaskStop'],
    ],
    ['once a result names it', [outcome('[the rest: TaskOutput]')], [...core, 'TaskOutput']],
    ['not because a result has a common word', [outcome('Symbols')], core],
    ['where a plan is to be approved', [{ type: 'mode.changed', mode: 'plan', by: 'user' }], [...core, 'ExitPlanMode']],
    [
      'where the session starts so',
      [{ type: 'settings.changed', by: 'user', mode: 'plan' }],
      [...core, 'ExitPlanMode'],
    ],
    ['not for a name that is none', [{ type: 'tools.found', names: ['Nothing', 'Read'] }], core],
  ])('%s', (_name, facts, expected) => {
    expect(shownAfter(...facts)).toEqual(expected);
  });
});

test('what is shown only grows at its end, and the list is the same one while nothing is added', () => {
  const projector = createProjector(tools);
  const list = (body: FactBody, seq: number) => {
    projector.fold([{ ...body, seq, ts: 0 } as Fact]);
    return projector.request().tools;
  };
  const lists = [
    list(outcome(''), 1),
    list({ type: 'tools.found', names: ['Symbols'] }, 2),
    list(outcome('TaskOutput'), 3),
    list({ type: 'tools.found', names: ['Symbols', 'TaskOutput'] }, 4),
  ];
  expect(lists.map((one) => one.map(({ name }) => name))).toEqual([
    core,
    [...core, 'Symbols'],
    [...core, 'Symbols', 'TaskOutput'],
    [...core, 'Symbols', 'TaskOutput'],
  ]);
  expect(lists[3]).toBe(lists[2]);
});
