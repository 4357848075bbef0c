import { describe, expect, it } from 'vitest';
import { openSession } from '../session.ts';

const todo = (content: string, status: string) => ({ content, status, activeForm: `doing ${content}` });

describe('TodoWrite', () => {
  it('records the list and says what is done now', async () => {
    const session = await openSession();
    const todos = [todo('a', 'in_progress'), todo('b', 'pending')];
    const outcome = await session.call('TodoWrite', { todos });
    expect(outcome.output).toBe('List updated, 2 open. Now: doing a.');
    expect(outcome.facts).toEqual([{ type: 'todo.updated', todos }]);
  });
  it('a completion needs a success since the list last changed', async () => {
    const session = await openSession();
    const args = { todos: [todo('a', 'completed')] };
    expect((await session.inspect('TodoWrite', args)).ok).toBe(false);
    expect((await session.call('TodoWrite', args)).status).toBe('failed');
    session.state = { ...session.state, sinceTodos: ['x1'] };
    expect(await session.call('TodoWrite', args)).toMatchObject({
      status: 'succeeded',
      output: 'All items are completed; the list is cleared.',
      facts: [{ type: 'todo.updated', cleared: true, todos: [{ evidence: ['x1'] }] }],
    });
  });
  it('costs nothing of the budget of tool calls', async () => {
    const session = await openSession();
    expect(await session.tool('TodoWrite').classify({})).toEqual({ effect: 'read', paths: [], free: true });
  });
});
