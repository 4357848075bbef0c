/** What a completed todo may rest on, and that the list is one of a session's projections. */
import { expect, test } from 'vitest';
import { type Fact, type FactBody, fold } from '#kernel';

const facts = (bodies: readonly FactBody[]): Fact[] =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, ts: i }) as Fact);
const before: readonly FactBody[] = [
  { type: 'session.created', sessionId: 's', workspace: '/w', version: '0' },
  { type: 'session.start', turnId: 't', goal: 'g', planner: 'model' },
];
const ended = (over: Partial<FactBody>): readonly FactBody[] => [
  {
    type: 'model.response',
    requestId: 'r',
    parts: [{ kind: 'call', actionId: 'a' }],
    finish: 'tool-calls',
    usage: {},
  },
  { type: 'action.intended', actionId: 'a', tool: 'Test', args: {}, origin: 'model', effect: 'process', intent: 'i' },
  { type: 'attempt.outcome', actionId: 'a', status: 'succeeded', output: '', ...over } as FactBody,
];

test.each<[string, Partial<FactBody>, readonly string[]]>([
  ['a success', {}, ['a']],
  ['a passing test', { exitCode: 0 } as Partial<FactBody>, ['a']],
  ['a failing test', { exitCode: 1 } as Partial<FactBody>, []],
  ['a failed call', { status: 'failed' } as Partial<FactBody>, []],
  ['a cancelled call', { status: 'cancelled' } as Partial<FactBody>, []],
  ['an unknown outcome', { status: 'unknown' } as Partial<FactBody>, []],
])('a todo that is completed next rests on what succeeded: %s', (_name, over, expected) => {
  expect(fold(facts([...before, ...ended(over)])).sinceTodos).toEqual(expected);
});

test('a list of which everything is completed is empty in the state and whole in the record', () => {
  const todo = (status: 'pending' | 'completed') => ({ content: 'a', status, activeForm: 'doing a' });
  const history = facts([
    ...before,
    { type: 'todo.updated', todos: [todo('pending')] },
    { type: 'todo.updated', todos: [todo('completed')], cleared: true },
  ]);
  expect(fold(history.slice(0, -1)).todos).toHaveLength(1);
  expect(fold(history).todos).toEqual([]);
  expect(history.at(-1)).toMatchObject({ todos: [{ status: 'completed' }] });
});
