/** Commands in the background, as the state knows them and as the gate judges them. */
import { describe, expect, test } from 'vitest';
import { closeAfterImport, type Fact, type FactBody, fold, judge, lostTasks, type State } from '#kernel';

const facts = (bodies: readonly FactBody[]): Fact[] =>
  bodies.map((body, i) => ({ ...body, seq: i + 1, ts: 1_000 + i }) as Fact);
const begin: readonly FactBody[] = [
  { type: 'session.created', sessionId: 's', workspace: '/w', version: '0' },
  { type: 'executor.attached', executorId: 'e', bootId: 'boot', pid: 1 },
  { type: 'session.start', turnId: 't', goal: 'go', planner: 'model' },
];
const started = (actionId: string): FactBody => ({
  type: 'task.started',
  actionId,
  attemptId: `${actionId}.1`,
  command: `run ${actionId}`,
  timeoutMs: 1_000,
});
const ended = (actionId: string, more: object = {}): FactBody => ({
  type: 'task.ended',
  actionId,
  status: 'exited',
  output: '',
  outputBytes: 0,
  exitCode: 0,
  ...more,
});
const stateAfter = (...bodies: FactBody[]): State => fold(facts([...begin, ...bodies]));
const ids = (state: State) => state.tasks.map(({ actionId }) => actionId);

describe('the state', () => {
  test('holds what runs, with the boot in which it was started', () => {
    const state = stateAfter(started('a'), started('b'));
    expect(state.tasks).toMatchObject([
      { actionId: 'a', attemptId: 'a.1', cwd: '.', bootId: 'boot' },
      { actionId: 'b' },
    ]);
  });

  test('what started and then failed stands behind no todo', () => {
    const call = (actionId: string): FactBody[] => [
      {
        type: 'action.intended',
        actionId,
        tool: 'Bash',
        args: {},
        origin: 'model',
        effect: 'process',
        intent: 'i',
        stepId: actionId,
      },
      { type: 'action.verdict', actionId, verdict: 'allow', by: 'policy', reason: 'r' },
      { type: 'attempt.start', attemptId: `${actionId}.1`, actionId, executorId: 'e', effect: 'process' },
      { type: 'attempt.outcome', actionId, attemptId: `${actionId}.1`, status: 'succeeded', output: '' },
      started(actionId),
    ];
    const state = stateAfter(...call('a'), ...call('b'), ended('a'), ended('b', { exitCode: 1 }));
    expect(state.sinceTodos).toEqual(['a']);
  });

  test('a start that was found out after a restart is one of the boot before', () => {
    const call: FactBody[] = [
      {
        type: 'action.intended',
        actionId: 'a',
        tool: 'Bash',
        args: {},
        origin: 'model',
        effect: 'process',
        intent: 'i',
        stepId: 'a',
      },
      { type: 'action.verdict', actionId: 'a', verdict: 'allow', by: 'policy', reason: 'r' },
      { type: 'attempt.start', attemptId: 'a.1', actionId: 'a', executorId: 'e', effect: 'process' },
      { type: 'executor.attached', executorId: 'f', bootId: 'later', pid: 1 },
      { type: 'attempt.outcome', actionId: 'a', attemptId: 'a.1', status: 'succeeded', output: '' },
    ];
    expect(stateAfter(...call, started('a')).tasks).toMatchObject([{ bootId: 'boot' }]);
  });

  test.each([
    ['an end', [started('a'), started('b'), ended('a')], ['b']],
    ['a second end', [started('a'), started('b'), ended('a'), ended('a')], ['b']],
    ['an end of nothing', [started('a'), ended('x')], ['a']],
    ['a second start', [started('a'), started('a')], ['a']],
  ])('%s', (_name, bodies, left) => {
    expect(ids(stateAfter(...bodies))).toEqual(left);
  });

  test('an end that no result tells is news for the model; one that a result tells is none', () => {
    const heard = stateAfter().turn?.unheard ?? 0;
    expect(stateAfter(started('a'), ended('a')).turn?.unheard).toBe(heard + 1);
    expect(stateAfter(started('a'), ended('a', { told: true })).turn?.unheard).toBe(heard);
    expect(stateAfter(started('a'), ended('a'), ended('a')).turn?.unheard).toBe(heard + 1);
  });
});

describe('the gate', () => {
  test('asks once about what runs, and then notes it', () => {
    const running = stateAfter(started('a'));
    const first = judge(running, null);
    expect(first).toMatchObject({ accepted: false, reason: 'tasks_running' });
    expect(first.feedback).toContain('call_a: `run a`');
    const asked = stateAfter(started('a'), first);
    expect(asked.turn?.claim.count).toBe(0);
    expect(judge(asked, null)).toMatchObject({ accepted: true, notes: ['still running in the background: run a'] });
  });

  test('asks again about what was started since', () => {
    const first = judge(stateAfter(started('a')), null);
    expect(judge(stateAfter(started('a'), first, started('b')), null)).toMatchObject({ reason: 'tasks_running' });
  });

  test('asks nobody in a list of steps', () => {
    const steps = [{ stepId: 's1', description: 'x' }];
    const state = stateAfter(
      { type: 'plan.draft', steps, planner: 'p' },
      { type: 'plan.commit', steps, revision: 1 },
      started('a'),
    );
    expect(judge(state, null)).toMatchObject({ accepted: true });
  });
});

test('where a session is brought from elsewhere, nothing of what runs there is known', () => {
  const state = stateAfter(started('a'));
  expect(lostTasks(state.tasks, 'elsewhere')).toMatchObject([{ type: 'task.ended', actionId: 'a', status: 'unknown' }]);
  const closing = closeAfterImport(facts([...begin, started('a')]));
  expect(closing.filter((fact) => fact.type === 'task.ended')).toHaveLength(1);
});

test('the folder of later commands is what the last outcome says', () => {
  const at = (cwd?: string): FactBody => ({
    type: 'attempt.outcome',
    actionId: 'x',
    status: 'succeeded',
    output: '',
    ...(cwd === undefined ? {} : { cwd }),
  });
  const call = (actionId: string): FactBody => ({
    type: 'action.intended',
    actionId,
    tool: 'Bash',
    args: {},
    origin: 'plan',
    effect: 'process',
    intent: 'i',
    stepId: actionId,
  });
  const outcome = (actionId: string, cwd?: string): FactBody => ({ ...at(cwd), actionId }) as FactBody;
  expect(stateAfter(call('a'), outcome('a')).cwd).toBe('.');
  expect(stateAfter(call('a'), outcome('a', 'sub'), call('b'), outcome('b')).cwd).toBe('sub');
  expect(stateAfter(call('a'), outcome('a', 'sub'), call('b'), outcome('b', '.')).cwd).toBe('.');
});
