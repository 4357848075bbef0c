/** The small pure rules: conflicts, limits, signatures, the gate. */
import { describe, expect, test } from 'vitest';
import {
  type BodyOf,
  conflicts,
  type Fact,
  type FactBody,
  fold,
  judge,
  makeFailure,
  signatureOf,
  standings,
  tripped,
} from '#kernel';

let clock = 0;
const facts = (bodies: readonly FactBody[], from = 0): Fact[] =>
  bodies.map((body, i) => ({ ...body, seq: from + i + 1, ts: clock++ }) as Fact);

describe('conflicts', () => {
  const read = (paths: string[] | null) => ({ effect: 'read' as const, paths });
  const file = (paths: string[] | null) => ({ effect: 'file' as const, paths });
  const process = { effect: 'process' as const, paths: null };
  const opaque = { effect: 'opaque' as const, paths: null };
  test.each([
    [read(null), read(null), false],
    [read(['a']), file(['a']), true],
    [read(['a']), file(['b']), false],
    [read(null), file(['b']), true],
    [file(['a']), file(['a', 'b']), true],
    [file(['a']), file(['b']), false],
    [read(['.']), file(['src/a']), true],
    [read(['src']), file(['src/a']), true],
    [read(['src']), file(['src-b/a']), false],
    [file(['link', 'a']), file(['a']), true],
    [process, read(['a']), true],
    [process, file(['a']), true],
    [process, process, true],
    [opaque, process, true],
    [opaque, read(null), true],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(conflicts(a, b)).toBe(expected);
    expect(conflicts(b, a)).toBe(expected);
  });
});

test.each([
  ['Error at /tmp/a/b.js:12:7', 'Error at <path>:<n>:<n>'],
  ['commit 0123456789abcdef0123 failed', 'commit <hex> failed'],
  ['took 15 ms\n  then 16 ms', 'took <n> ms then <n> ms'],
])('the signature of %j leaves out what varies', (text, expected) => {
  expect(signatureOf(text)).toBe(expected);
  expect(signatureOf(text.replaceAll('1', '2'))).toBe(signatureOf(text.replaceAll('2', '3')));
});

test('a failure carries what to branch on, whose fault it is and what to do next', () => {
  expect(makeFailure('schema', 'no /path', 'send path')).toEqual({
    kind: 'schema',
    retryable: true,
    blame: 'model',
    message: 'no /path',
    suggestedAction: 'send path',
    signature: 'schema: no <path>',
  });
});

const started: FactBody[] = [
  { type: 'session.created', sessionId: 's', workspace: '/w', version: '0' },
  { type: 'executor.attached', executorId: 'e', bootId: 'b', pid: 1 },
];

test('limits trip in order of precedence and only for what is about to be consumed', () => {
  const state = fold(
    facts([
      ...started,
      {
        type: 'settings.changed',
        by: 'u',
        limits: { maxSteps: 0, maxToolCalls: 0, maxRounds: 0, maxElapsedMs: 0, maxCostUsd: 0, maxTokens: 0 },
      },
      { type: 'session.start', turnId: 't', goal: 'g', planner: 'p' },
    ]),
  );
  expect(tripped(state, 'call')?.limit).toBe('turns');
  expect(tripped(state, 'step')?.limit).toBe('turns');
  expect(tripped(state, 'round')?.limit).toBe('wall_clock');
});

test('time in a pause and time without an executor is not charged', () => {
  const at = (body: FactBody, seq: number, ts: number) => ({ ...body, seq, ts }) as Fact;
  const state = fold([
    at({ type: 'executor.attached', executorId: 'e', bootId: 'b', pid: 1 }, 1, 0),
    at({ type: 'session.start', turnId: 't', goal: 'g', planner: 'p' }, 2, 1000),
    at({ type: 'model.request', requestId: 'r', model: 'm', messages: 1, bytes: 1 }, 3, 1400),
    at({ type: 'executor.attached', executorId: 'f', bootId: 'b', pid: 2 }, 4, 90_000),
    at({ type: 'session.pause', reason: 'interrupted', from: 'planning' }, 5, 90_000),
    at({ type: 'session.resume', to: 'planning' }, 6, 99_000),
    at({ type: 'model.request', requestId: 'r2', model: 'm', messages: 1, bytes: 1 }, 7, 99_100),
    at({ type: 'session.pause', reason: 'x', from: 'planning' }, 8, 90_000),
  ]);
  expect(state.turn?.budget.elapsedMs).toBe(500);
});

describe('the gate', () => {
  const checks = [
    { command: 'a', counts: true },
    { command: 'b', counts: true },
  ];
  const evidence = (check: string, over: Partial<BodyOf<'evidence.recorded'>> = {}): FactBody => ({
    type: 'evidence.recorded',
    check,
    actionId: 'x',
    exitCode: 0,
    before: 't1',
    after: 't1',
    revision: 'r1',
    passed: true,
    ...over,
  });
  const scan = (tree: string): FactBody => ({ type: 'workspace.scanned', revision: `r-${tree}`, tree, at: 'round' });
  const base: FactBody[] = [
    ...started,
    { type: 'settings.changed', by: 'u', checks },
    scan('t1'),
    { type: 'session.start', turnId: 't', goal: 'g', planner: 'p' },
  ];
  const standing = (bodies: FactBody[], tree = 't1') =>
    standings(fold(facts([...base, ...bodies])), tree).map((item) => item.standing);

  test.each<[string, FactBody[], string, string[]]>([
    ['nothing ran', [], 't1', ['missing', 'missing']],
    ['one ran', [evidence('a')], 't1', ['passed', 'missing']],
    ['both ran', [evidence('a'), evidence('b')], 't1', ['passed', 'passed']],
    ['one failed', [evidence('a'), evidence('b', { passed: false, exitCode: 1 })], 't1', ['passed', 'failed']],
    ['the tree differs now', [evidence('a'), evidence('b')], 't2', ['expired', 'expired']],
    ['a change and back again', [evidence('a'), evidence('b'), scan('t2'), scan('t1')], 't1', ['expired', 'expired']],
    [
      'a rerun after a change',
      [evidence('a'), scan('t2'), evidence('a', { before: 't2', after: 't2' })],
      't2',
      ['passed', 'missing'],
    ],
    ['a check that changed more than products', [evidence('a', { after: 't3' })], 't3', ['expired', 'missing']],
    [
      'products of one check do not expire the other',
      [evidence('a'), evidence('b', { products: ['cache'] })],
      't1',
      ['passed', 'passed'],
    ],
    [
      'a later failure replaces an earlier pass',
      [evidence('a'), evidence('a', { passed: false, exitCode: 1 })],
      't1',
      ['failed', 'missing'],
    ],
    [
      'a change found by the second check expires the first',
      [evidence('a'), evidence('b', { before: 't2', after: 't2' })],
      't2',
      ['expired', 'passed'],
    ],
  ])('%s', (_name, bodies, tree, expected) => {
    expect(standing(bodies, tree)).toEqual(expected);
  });

  test('an open question outweighs everything', () => {
    const state = fold(facts([...base, evidence('a'), evidence('b')]));
    const open = { ...state, unknowns: [{ actionId: 'x', tool: 'Bash', answer: null, seq: 1 }] };
    expect(judge(state, 't1')).toMatchObject({ accepted: true, verified: true, reason: 'verified' });
    expect(judge(open, 't1')).toMatchObject({ accepted: false, reason: 'unknown_outcome' });
  });

  test('the feedback names each check and what to do', () => {
    const state = fold(facts([...base, evidence('b', { passed: false, exitCode: 1, reason: '2 of 3 tests failed' })]));
    const verdict = judge(state, 't1');
    expect(verdict.feedback).toBe(
      'Not accepted as done yet. What is missing:\n- `a` was never run.\n- `b` fails: 2 of 3 tests failed.\nFix the cause, run the check again with Test, and answer when it passes.',
    );
  });

  test('open todos and answered unknowns are named, not hidden', () => {
    const state = fold(
      facts([
        ...base,
        evidence('a'),
        evidence('b'),
        { type: 'todo.updated', todos: [{ content: 'tidy', status: 'pending', activeForm: 'tidying' }] },
      ]),
    );
    const answered = { ...state, unknowns: [{ actionId: 'x', tool: 'Bash', answer: 'applied' as const, seq: 1 }] };
    expect(judge(answered, 't1').notes).toEqual(['todos not completed: tidy', 'outcome of Bash x: applied']);
  });
});
