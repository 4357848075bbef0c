import { expect, test } from 'vitest';
import { hookAnswer } from '../../../src/extensions/command-hooks/hook-answer.ts';
import { matches } from '../../../src/extensions/command-hooks/matches.ts';

const exited = (exitCode: number, out = '', errors = '') => ({ status: 'exited' as const, exitCode, out, errors });
const specific = (more: object) => exited(0, JSON.stringify({ hookSpecificOutput: more }));

test.each([
  ['silence', exited(0), { kind: 'go' }],
  ['words for people', exited(0, 'all well\n'), { kind: 'go' }],
  ['exit code 2', exited(2, 'ignored', 'not here\n'), { kind: 'block', reason: 'not here' }],
  ['exit code 2 without a word', exited(2), { kind: 'block', reason: 'refused without a reason' }],
  ['another exit code', exited(1, '', 'oops\n'), { kind: 'failed', reason: 'oops' }],
  ['a program that is not there', exited(127), { kind: 'failed', reason: 'exit code 127' }],
  ['half an answer', exited(0, '{"decision":'), { kind: 'failed' }],
  ['no end', { status: 'unknown' as const, exitCode: null, out: '', errors: '' }, { kind: 'block' }],
  ['a time limit', { status: 'timed-out' as const, exitCode: 143, out: '', errors: '' }, { kind: 'failed' }],
  [
    'a refusal at the time limit',
    { status: 'timed-out' as const, exitCode: 2, out: '', errors: 'no' },
    { kind: 'block', reason: 'no' },
  ],
  [
    'a refusal',
    specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }),
    { kind: 'block', reason: 'no' },
  ],
  ['a question', specific({ permissionDecision: 'ask' }), { kind: 'ask' }],
  ['an allowance says nothing', specific({ permissionDecision: 'allow' }), { kind: 'go' }],
  ['another input', specific({ updatedInput: { a: 1 } }), { kind: 'go', input: { a: 1 } }],
  ['words for the model', specific({ additionalContext: 'mind the gap' }), { kind: 'go', say: 'mind the gap' }],
  ['the older form', exited(0, '{"decision":"block","reason":"no"}'), { kind: 'block', reason: 'no' }],
  [
    'a question about another input',
    specific({ permissionDecision: 'ask', updatedInput: 1 }),
    { kind: 'ask', input: 1 },
  ],
  ['a refusal in capitals', specific({ permissionDecision: 'DENY' }), { kind: 'block' }],
  ['a refusal outside', exited(0, '{"permissionDecision":"deny"}'), { kind: 'block' }],
  [
    'a refusal outside, with a reason',
    exited(0, '{"permissionDecision":"deny","permissionDecisionReason":"no"}'),
    { kind: 'block', reason: 'no' },
  ],
  ['the older allowance', exited(0, '{"decision":"approve"}'), { kind: 'go' }],
  ['no decision', exited(0, '{"decision":null}'), { kind: 'go' }],
  [
    'a decision that is none',
    exited(0, '{"decision":"reject"}'),
    { kind: 'failed', reason: 'its decision "reject" is not understood; those are deny, ask and allow' },
  ],
  ['a decision that is no text', specific({ permissionDecision: false }), { kind: 'failed' }],
  [
    'a refusal behind other lines',
    exited(0, 'Now using node v24\n{ not this\n{\n  "decision": "block",\n  "reason": "no"\n}\n'),
    { kind: 'block', reason: 'no' },
  ],
  ['other JSON behind other lines', exited(0, 'it is\n{"a":1}'), { kind: 'go' }],
  ['the end', exited(0, '{"continue":false,"stopReason":"enough"}'), { kind: 'stop', reason: 'enough' }],
])('%s', (_name, end, expected) => {
  expect(hookAnswer('PreToolUse', end)).toMatchObject(expected);
});

test.each([
  ['SessionStart', 'block'],
  ['UserPromptSubmit', 'block'],
  ['PostToolUse', 'failed'],
  ['Stop', 'failed'],
] as const)('nobody knows the end of a hook of %s: %s', (event, kind) => {
  expect(hookAnswer(event, { status: 'unknown', exitCode: null, out: '', errors: '' })).toMatchObject({ kind });
});

test('at the start of a session or a turn, plain words are for the model', () => {
  for (const said of ['branch main', 'config:\n{"a":1}']) {
    expect(hookAnswer('SessionStart', exited(0, `${said}\n`))).toEqual({ kind: 'go', say: said });
  }
});

test.each([
  [null, 'Bash', true],
  ['Bash', 'Bash', true],
  ['Bash', 'BashX', false],
  ['Edit|Write', 'Write', true],
  ['Edit | Write', 'Write', true],
  ['mcp__.*', 'mcp__a__b', true],
  ['mcp__.*', 'xmcp__a', false],
  ['.*Edit', 'Edit', true],
  ['mcp__my\\-server__.*', 'mcp__my-server__x', true],
])('matcher %s and %s: %s', (matcher, tool, expected) => {
  expect(matches(matcher, tool)).toBe(expected);
});
