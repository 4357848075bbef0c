/** The six signals, retry budgets, weakened tests and the finer states, each on the facts that make them. */
import { describe, expect, test } from 'vitest';
import {
  decide,
  evolve,
  type Fact,
  type FactBody,
  fineState,
  fold,
  initialState,
  judge,
  makeFailure,
  progressLimits,
  type State,
  stalled,
} from '#kernel';

const begin: FactBody[] = [
  { type: 'executor.attached', executorId: 'e', bootId: 'b', pid: 1 },
  { type: 'settings.changed', by: 'u', checks: [{ command: 'a', counts: true }] },
  { type: 'workspace.scanned', revision: 'r', tree: 't', at: 'start' },
  { type: 'session.start', turnId: 't', goal: 'g', planner: 'p' },
];

function grow(state: State, bodies: readonly FactBody[], stepMs = 10): State {
  let next = state;
  for (const body of bodies) next = evolve(next, { ...body, seq: next.seq + 1, ts: next.ts + stepMs } as Fact);
  return next;
}
const started = () => grow(initialState, begin);

let counter = 0;
interface Round {
  readonly tool?: string;
  readonly effect?: 'read' | 'process';
  readonly intent?: string;
  readonly output?: string;
  readonly exitCode?: number;
  readonly tokens?: number;
}
function round(over: Round = {}): FactBody[] {
  const actionId = `a${++counter}`;
  return [
    {
      type: 'model.response',
      requestId: 'r',
      parts: [{ kind: 'call', actionId }],
      finish: 'tool-calls',
      usage: over.tokens === undefined ? {} : { inputTokens: over.tokens },
    },
    {
      type: 'action.intended',
      actionId,
      tool: over.tool ?? 'Bash',
      args: {},
      origin: 'model',
      effect: over.effect ?? 'process',
      intent: over.intent ?? `i${counter}`,
    },
    { type: 'phase.enter', to: 'executing' },
    { type: 'action.verdict', actionId, verdict: 'allow', by: 'policy' },
    {
      type: 'attempt.outcome',
      actionId,
      status: 'succeeded',
      output: over.output ?? `output number ${counter} of a long and winding command`,
      ...(over.exitCode === undefined ? {} : { exitCode: over.exitCode }),
    },
    { type: 'phase.enter', to: 'reflecting' },
    { type: 'phase.enter', to: 'planning' },
  ];
}
const rounds = (count: number, over: (i: number) => Round): FactBody[] =>
  Array.from({ length: count }, (_, i) => round(over(i))).flat();

const long = 'one and the same text, longer than forty characters';
const todos: FactBody = { type: 'todo.updated', todos: [{ content: 'x', status: 'in_progress', activeForm: 'x' }] };

describe('signals', () => {
  test.each<[string, FactBody[], string | null]>([
    [
      'equal calls with equal results',
      rounds(progressLimits.repeats, () => ({ intent: 'i', output: 'x' })),
      'repeated_call',
    ],
    ['one less', rounds(progressLimits.repeats - 1, () => ({ intent: 'i', output: 'x' })), null],
    ['equal calls with new results', rounds(30, (i) => ({ intent: 'i', output: `${i}` })), null],
    [
      'the same error from different calls',
      rounds(progressLimits.failureRepeats, (i) => ({ output: `Error: no file ${i}`, exitCode: 1 })),
      'repeated_failure',
    ],
    ['different errors', rounds(10, (i) => ({ output: `Error: ${'abcdefghij'[i]}`, exitCode: 1 })), null],
    [
      'different calls that show the same text',
      rounds(progressLimits.sameObservations, (i) => ({ intent: `${i}`, effect: 'read', output: long })),
      'same_observation',
    ],
    [
      'different calls that show the same short text',
      rounds(20, (i) => ({ intent: `${i}`, effect: 'read', output: 'no match' })),
      null,
    ],
    ['commands that change nothing', rounds(progressLimits.idleEffects, () => ({})), 'unchanged_workspace'],
    ['reads that change nothing', rounds(progressLimits.idleEffects, () => ({ effect: 'read' })), null],
    [
      'a todo list that stands still',
      [todos, ...rounds(progressLimits.idleTodos, () => ({ effect: 'read' }))],
      'plan_stands_still',
    ],
    ['no todo list', rounds(progressLimits.idleTodos, () => ({ effect: 'read' })), null],
    ['tokens without a result', rounds(4, () => ({ effect: 'read', tokens: 60_000 })), 'cost_rises'],
    ['few tokens without a result', rounds(4, () => ({ effect: 'read', tokens: 600 })), null],
  ])('%s', (_name, bodies, expected) => {
    expect(stalled(grow(started(), bodies))?.signal ?? null).toBe(expected);
  });

  test('polling is not a loop', () => {
    const polls = rounds(20, () => ({ intent: 'i', output: long, effect: 'read' }));
    expect(stalled(grow(started(), polls, progressLimits.pollingMs + 1))).toBeNull();
  });

  test('a change of the workspace, a check or a todo starts the counting anew', () => {
    const idle = rounds(progressLimits.idleEffects - 1, () => ({}));
    const changed: FactBody = { type: 'workspace.scanned', revision: 'r2', tree: 't2', at: 'round' };
    expect(stalled(grow(started(), [...idle, changed, ...idle]))).toBeNull();
    const dear = rounds(3, () => ({ effect: 'read', tokens: 60_000 }));
    expect(stalled(grow(started(), [todos, ...dear, todos, ...dear]))).toBeNull();
  });

  test('a signal is told once, then its count starts anew; three without a change hand off', () => {
    const told: FactBody = { type: 'progress.signal', signal: 'unchanged_workspace', count: 1, detail: 'x' };
    let state = grow(
      started(),
      rounds(progressLimits.idleEffects, () => ({})),
    );
    for (let i = 1; i <= progressLimits.signals; i++) {
      state = grow(state, i === 1 ? [told] : [...round(), told]);
      expect(stalled(state)).toBeNull();
    }
    const last = grow(state, rounds(1, () => ({})).slice(0, -1));
    expect(decide(last)).toMatchObject({ kind: 'suspend', reason: 'handoff:no_progress' });
  });

  test('signals of one answer are one: who could not hear a warning did not ignore it', () => {
    const told: FactBody = { type: 'progress.signal', signal: 'same_observation', count: 8, detail: 'x' };
    const reflecting = round().slice(0, -1);
    const state = grow(started(), [...reflecting, ...Array.from({ length: 7 }, () => told)]);
    expect(decide(state)).not.toMatchObject({ kind: 'suspend' });
    expect(state.turn?.progress.signals).toBe(1);
  });
});

test('every kind of failure has its own retry budget, and an answer in between does not refill it', () => {
  const failed = (kind: 'transient' | 'incomplete'): FactBody[] => [
    { type: 'model.failed', failure: makeFailure(kind, 'x', 'y') },
    { type: 'backoff.ended', waitedMs: 1 },
  ];
  let state = started();
  for (let i = 0; i < 19; i++) state = grow(state, [...failed('transient'), ...round()]);
  state = grow(state, failed('incomplete').slice(0, 1));
  expect(decide(state)).toMatchObject({ kind: 'backoff' });
  state = grow(state, [...round(), ...failed('transient').slice(0, 1)]);
  expect(decide(state)).toMatchObject({ kind: 'suspend', reason: 'failure:transient' });
});

test('a check that passes with fewer tests than before is not accepted, until a person agrees', () => {
  const evidence = (passed: number, skipped = 0): FactBody => ({
    type: 'evidence.recorded',
    check: 'a',
    actionId: 'x',
    exitCode: 0,
    before: 't',
    after: 't',
    revision: 'r',
    passed: true,
    counts: { passed, failed: 0, skipped, total: passed + skipped },
  });
  const three = grow(started(), [evidence(3)]);
  expect(judge(three, 't')).toMatchObject({ accepted: true, reason: 'verified' });
  expect(judge(grow(three, [evidence(4)]), 't')).toMatchObject({ accepted: true });
  for (const fewer of [evidence(2), evidence(2, 1)]) {
    const weakened = grow(three, [fewer]);
    expect(judge(weakened, 't')).toMatchObject({ accepted: false, verified: false, reason: 'tests_weakened' });
    expect(judge(weakened, 't').feedback).toContain('it ran 2 tests where it ran 3 before');
    const agreed = grow(weakened, [
      { type: 'session.pause', reason: 'handoff:unverified', from: 'planning' },
      { type: 'session.resume', to: 'planning' },
    ]);
    expect(judge(agreed, 't')).toMatchObject({ accepted: true, reason: 'verified' });
  }
});

test('the eleven finer states are derived from the six phases', () => {
  const request: FactBody = { type: 'model.request', requestId: 'r', model: 'm', messages: 1, bytes: 1 };
  const call = round();
  const failure = { type: 'model.failed' as const, failure: makeFailure('transient', 'x', 'y') };
  const cases: [FactBody[], string][] = [
    [[], 'BuildingContext'],
    [[request], 'CallingModel'],
    [[request, failure], 'Retrying'],
    [[request, failure, { type: 'backoff.ended', waitedMs: 1 }], 'BuildingContext'],
    [call.slice(0, 3), 'ExecutingTools'],
    [[...call.slice(0, 3), { type: 'session.pause', reason: 'approval:x', from: 'executing' }], 'AwaitingApproval'],
    [[{ type: 'session.pause', reason: 'interrupted', from: 'planning' }], 'Ready'],
    [call.slice(0, 6), 'Verifying'],
    [[...call.slice(0, 6), { type: 'session.complete', reason: 'goal_met' }], 'Completed'],
    [[{ type: 'session.complete', reason: 'cancelled' }], 'Cancelled'],
    [[{ type: 'session.complete', reason: 'failed' }], 'Failed'],
  ];
  expect(fineState(fold([]))).toBe('Ready');
  for (const [bodies, expected] of cases) expect(fineState(grow(started(), bodies))).toBe(expected);
});
