import { describe, expect, it } from 'vitest';
import type { PermissionMode } from '#kernel';
import { openSession, type TestSession } from '../session.ts';

const enter = (session: TestSession, modeBeforePlan: PermissionMode = 'default') => {
  session.state = {
    ...session.state,
    settings: { ...session.state.settings, mode: 'plan', modeBeforePlan },
  };
};

describe('EnterPlanMode', () => {
  it('turns plan mode on, once', async () => {
    const session = await openSession();
    expect((await session.call('EnterPlanMode', {})).facts).toEqual([
      { type: 'mode.changed', mode: 'plan', by: 'model' },
    ]);
    enter(session);
    expect((await session.call('EnterPlanMode', {})).facts).toBeUndefined();
  });
});

describe('ExitPlanMode', () => {
  it('shows the plan and every command that approving permits', async () => {
    const session = await openSession({}, [{ command: 'node --test', counts: true }]);
    enter(session);
    const inspection = await session.inspect('ExitPlanMode', {
      plan: '# Fix it\n1. edit',
      todos: [{ content: 'edit', status: 'pending', activeForm: 'editing' }],
      checks: ['node --test', 'npm run lint'],
    });
    expect(inspection).toEqual({
      ok: true,
      preview:
        '# Fix it\n1. edit\n\nTodos:\n- edit\n\nApproving also permits running, whenever the model asks:\n- npm run lint',
    });
  });

  it('records the plan, the mode before, the todos and the new checks', async () => {
    const session = await openSession({}, [{ command: 'node --test', counts: true }]);
    enter(session, 'acceptEdits');
    const todos = [{ content: 'edit', status: 'pending', activeForm: 'editing' }];
    const outcome = await session.call('ExitPlanMode', {
      plan: ' plan ',
      todos,
      checks: ['npm run lint', 'node --test'],
    });
    expect(outcome.facts).toEqual([
      { type: 'mode.changed', mode: 'acceptEdits', by: 'plan', plan: 'plan' },
      { type: 'todo.updated', todos },
      {
        type: 'settings.changed',
        by: 'plan',
        checks: [
          { command: 'node --test', counts: true },
          { command: 'npm run lint', counts: true },
        ],
      },
    ]);
  });

  it('without todos and checks records the mode only', async () => {
    const session = await openSession();
    enter(session);
    expect((await session.call('ExitPlanMode', { plan: 'p' })).facts).toHaveLength(1);
  });

  it.each([
    ['an empty plan', { plan: '  ' }, 'plan is empty'],
    ['misshapen todos', { plan: 'p', todos: [{ content: 'a', state: 'x' }] }, '/todos/0/status'],
    [
      'two todos in progress',
      {
        plan: 'p',
        todos: [
          { content: 'a', status: 'in_progress', activeForm: '' },
          { content: 'b', status: 'in_progress', activeForm: '' },
        ],
      },
      '2 items are in progress',
    ],
  ])('refuses %s', async (_name, args, text) => {
    const session = await openSession();
    enter(session);
    const inspection = await session.inspect('ExitPlanMode', args);
    expect(inspection.ok ? '' : inspection.failure.message).toContain(text);
    expect((await session.call('ExitPlanMode', args)).facts).toBeUndefined();
  });

  it('is refused outside plan mode', async () => {
    const session = await openSession();
    expect((await session.inspect('ExitPlanMode', { plan: 'p' })).ok).toBe(false);
  });
});
