import { describe, expect, test } from 'vitest';
import { type FactBody, fold, makeFailure } from '#kernel';
import { type Ending, exitCodes, precedence, standingOf, worstOf } from '#surfaces/view';

const start: readonly FactBody[] = [
  { type: 'session.created', sessionId: 's', workspace: '/w', version: '1' },
  { type: 'executor.attached', executorId: 'e', bootId: 'b', pid: 1 },
  { type: 'session.start', turnId: 't', goal: 'Fix it.', planner: 'model' },
];
const checked: FactBody = { type: 'settings.changed', by: 'user', checks: [{ command: 'node --test', counts: true }] };
const asked: readonly FactBody[] = [
  { type: 'model.request', requestId: 'r', model: 'm', messages: 1, bytes: 1 },
  { type: 'model.response', requestId: 'r', parts: [{ kind: 'call', actionId: 'a' }], finish: 'tool-calls', usage: {} },
  { type: 'action.intended', actionId: 'a', tool: 'Edit', args: {}, origin: 'model', effect: 'file', intent: 'i' },
  { type: 'phase.enter', to: 'executing' },
  { type: 'approval.requested', actionId: 'a', reason: 'no rule', binding: 'b' },
];
const claimed: readonly FactBody[] = [
  { type: 'model.request', requestId: 'r', model: 'm', messages: 1, bytes: 1 },
  { type: 'model.response', requestId: 'r', parts: [{ kind: 'text', text: 'Done.' }], finish: 'stop', usage: {} },
  { type: 'phase.enter', to: 'executing' },
  { type: 'phase.enter', to: 'reflecting' },
];
const verdict = (accepted: boolean, verified: boolean | null): FactBody => ({
  type: 'completion.verdict',
  accepted,
  verified,
  reason: accepted ? 'verified' : 'missing_evidence',
});
const paused = (reason: string, from: 'planning' | 'executing' | 'reflecting' = 'planning'): FactBody => ({
  type: 'session.pause',
  reason,
  from,
});
const complete: FactBody = { type: 'session.complete', reason: 'goal_met' };

const stand = (bodies: readonly FactBody[], ending?: Ending) =>
  standingOf(fold(bodies.map((body, i) => ({ ...body, seq: i + 1, ts: i }))), ending);

describe('the exit code of a session', () => {
  test.each<[string, readonly FactBody[], Ending | undefined, number, boolean | null]>([
    ['accepted on evidence', [checked, ...start, ...claimed, verdict(true, true), complete], undefined, 0, true],
    ['ended without a check', [...start, ...claimed, verdict(true, null), complete], undefined, 0, null],
    ['an approval is open', [checked, ...start, ...asked, paused('approval:a', 'executing')], undefined, 10, false],
    ['a claim was refused', [checked, ...start, ...claimed, verdict(false, false)], undefined, 13, false],
    ['handed off as unverified', [checked, ...start, paused('handoff:unverified')], undefined, 13, false],
    ['handed off for no progress', [...start, paused('handoff:no_progress')], undefined, 12, null],
    ['a limit was reached', [...start, paused('budget_exceeded:rounds')], undefined, 53, null],
    ['the key was refused', [checked, ...start, paused('failure:auth')], undefined, 41, false],
    ['the provider is away', [...start, paused('failure:transient')], undefined, 57, null],
    ['a hook asks for a person', [...start, paused('please look')], undefined, 10, null],
    ['a crash left it behind', start, undefined, 1, null],
    [
      'a refused claim outranks the provider',
      [checked, ...start, ...claimed, verdict(false, false), paused('failure:invalid_request', 'reflecting')],
      undefined,
      13,
      false,
    ],
    [
      'a store that failed outranks an open approval',
      [checked, ...start, ...asked, paused('approval:a', 'executing')],
      { problem: { exitCode: 56, message: 'full' } },
      56,
      false,
    ],
    ['a signal outranks everything', [...start, paused('handoff:no_progress')], { signal: 'SIGINT' }, 130, null],
    ['a termination', start, { signal: 'SIGTERM' }, 143, null],
  ])('%s', (_, bodies, ending, exitCode, verified) => {
    expect(stand(bodies, ending)).toMatchObject({ exitCode, verified });
  });

  test('a limit outranks a handoff and an unknown outcome outranks an approval', () => {
    expect(worstOf([12, 53])).toBe(53);
    expect(worstOf([10, 11, 57])).toBe(11);
    expect(worstOf([0])).toBe(0);
    expect(worstOf([57])).toBe(57);
  });

  test('every code of the order of precedence is in the table, each code once', () => {
    const codes = exitCodes.map((row) => row.code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of precedence) expect(codes).toContain(code);
  });

  test('a failure keeps its words and the next step', () => {
    const failure = makeFailure('auth', 'the key was refused', 'Set ANTHROPIC_API_KEY.');
    const pause: FactBody = {
      type: 'session.pause',
      reason: 'failure:auth',
      from: 'planning',
      message: failure.message,
      next: failure.suggestedAction,
    };
    expect(stand([...start, pause])).toMatchObject({ message: 'the key was refused', next: 'Set ANTHROPIC_API_KEY.' });
  });
});
