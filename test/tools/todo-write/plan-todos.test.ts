import { describe, expect, it } from 'vitest';
import { planTodos, type TodoInput } from '../../../src/tools/todo-write/plan-todos.ts';

const item = (content: string, status: TodoInput['status'] = 'pending'): TodoInput => ({
  content,
  status,
  activeForm: `${content}ing`,
});

describe('planTodos', () => {
  it('refuses more than one item in progress', () => {
    const plan = planTodos([item('a', 'in_progress'), item('b', 'in_progress')], [], []);
    expect(plan).toMatchObject({ ok: false, failure: { kind: 'precondition' } });
  });
  it('refuses an item without content', () => {
    expect(planTodos([item('a'), item('  ')], [], []).ok).toBe(false);
  });
  it('refuses a completion with nothing done since the last change', () => {
    const plan = planTodos([item('a', 'completed')], [item('a', 'in_progress')], []);
    expect(plan.ok).toBe(false);
    if (!plan.ok) expect(plan.failure.message).toContain('failing test is not a successful step');
  });
  it('a completed item carries the actions that stand behind it, and keeps them', () => {
    const first = planTodos([item('a', 'completed'), item('b')], [item('a')], ['x1', 'x2']);
    expect(first).toMatchObject({ ok: true, cleared: false, todos: [{ evidence: ['x1', 'x2'] }, {}] });
    const second = planTodos([item('a', 'completed'), item('b', 'in_progress')], first.ok ? first.todos : [], []);
    expect(second).toMatchObject({ ok: true, todos: [{ evidence: ['x1', 'x2'] }, {}] });
  });
  it('a list of which everything is completed is cleared', () => {
    expect(planTodos([item('a', 'completed')], [item('a')], ['x'])).toMatchObject({ ok: true, cleared: true });
    expect(planTodos([], [item('a')], [])).toMatchObject({ ok: true, cleared: false, todos: [] });
  });
});
