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
