import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createNarrator, oneLine, plain } from '#surfaces/view';
import { arbitraryBody } from '../../ledger/arbitrary-fact.ts';

describe('one line per fact', () => {
  test('every possible fact is told on one line without control characters, with causes before it', () => {
    fc.assert(
      fc.property(fc.array(arbitraryBody(), { maxLength: 30 }), (bodies) => {
        const narrate = createNarrator();
        bodies.forEach((body, i) => {
          const told = narrate({ ...body, seq: i + 1, ts: i });
          expect(told.text).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
          expect(told.text.length).toBeLessThanOrEqual(160);
          for (const cause of told.causes) expect(cause).toBeLessThanOrEqual(i);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('a call is told from intent to receipt, each fact naming the one before', () => {
    const narrate = createNarrator();
    const told = (
      [
        { type: 'model.request', requestId: 'r', model: 'm', messages: 1, bytes: 9 },
        { type: 'model.response', requestId: 'r', parts: [{ kind: 'call', actionId: 'a' }], finish: 'stop', usage: {} },
        {
          type: 'action.intended',
          actionId: 'a',
          tool: 'Bash',
          args: { command: 'ls' },
          origin: 'model',
          effect: 'process',
          intent: 'i',
        },
        { type: 'action.verdict', actionId: 'a', verdict: 'allow', by: 'rule' },
        { type: 'attempt.start', attemptId: 'a.1', actionId: 'a', executorId: 'e', effect: 'process' },
        { type: 'attempt.outcome', actionId: 'a', status: 'succeeded', output: '', exitCode: 0 },
      ] as const
    ).map((body, i) => narrate({ ...body, seq: i + 1, ts: 0 }));
    expect(told.map((line) => line.causes)).toEqual([[], [1], [2], [3], [4], [5]]);
    expect(told.at(-1)?.text).toBe('Bash ls: succeeded, exit 0');
  });
});

test('terminal control never reaches the terminal', () => {
  expect(plain('a\u001b[2Jb\u009bc\nd\te')).toBe('a\ufffd[2Jb\ufffdc\nd\te');
  expect(plain('\u202eevil')).toBe('\ufffdevil');
  expect(oneLine('  two\n lines ', 20)).toBe('two lines');
  expect(oneLine('abcdef', 4)).toBe('abc…');
});
