import { expect, it } from 'vitest';
import { explainCommand } from '../../src/permission/explain-command.ts';

it('says what the rules say of each part, and what their author should know', async () => {
  const explained = await explainCommand({
    command: 'ls; wc a; rm x',
    mode: 'default',
    allow: ['Bash(ls *)', 'Bash(python3 *)'],
    ask: ['Bash(wc *)'],
    deny: ['Bash(rm *)'],
    checks: [],
    workspace: '/repo',
    ports: null,
  });
  expect(explained).toMatchObject({ decision: 'deny', by: 'rule', reason: 'rm x: rule Bash(rm *)' });
  expect(explained.parts).toEqual([
    { what: 'ls', decision: 'allow', reason: 'rule Bash(ls *)' },
    { what: 'wc a', decision: 'ask', reason: 'rule Bash(wc *)' },
    { what: 'rm x', decision: 'deny', reason: 'rule Bash(rm *)' },
  ]);
  expect(explained.warnings).toEqual([expect.stringContaining('every script')]);
});

it.each([
  ['acceptEdits', 'allow'],
  ['default', 'ask'],
] as const)('in mode %s a file that is written is worth: %s', async (mode, decision) => {
  const explained = await explainCommand({
    command: 'wc a > new',
    mode,
    allow: ['Bash(wc *)'],
    ask: [],
    deny: [],
    checks: [],
    workspace: '/repo',
    ports: { realPath: async (path) => path, kind: async () => 'missing' },
  });
  expect(explained.decision).toBe(decision);
  expect(explained.parts.map((part) => [part.what, part.decision])).toEqual([
    ['wc a', 'allow'],
    ['writing new', decision],
  ]);
});
