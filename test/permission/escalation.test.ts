import { describe, expect, test } from 'vitest';
import type { PermissionCall, PermissionContext } from '../../src/permission/contract.ts';
import { createPermission } from '../../src/permission/create-permission.ts';

const ports = (confined: boolean) => ({ realPath: async (path: string) => path, isConfined: () => confined });
const context = (more: Partial<PermissionContext> = {}): PermissionContext => ({
  mode: 'default',
  allow: [],
  checks: [],
  workspace: '/w',
  signal: new AbortController().signal,
  ...more,
});
const decide = async (command: string, more: Partial<PermissionContext>, confined = true, deny: string[] = []) => {
  const permission = createPermission(ports(confined), [], { deny, ask: [] });
  const args = { command, unsandboxed: true };
  return (await permission({ tool: 'Bash', args, effect: 'process', paths: null }, context(more))).decision;
};

describe('a command that asks to leave the sandbox', () => {
  test.each<[string, Partial<PermissionContext>, 'allow' | 'ask' | 'deny']>([
    ['asks', {}, 'ask'],
    ['asks also where a rule allows it inside', { allow: ['Bash(mytool ps *)'] }, 'ask'],
    ['asks also where a rule allows every command', { allow: ['Bash'] }, 'ask'],
    ['asks also where everything is allowed', { mode: 'bypassPermissions' }, 'ask'],
    ['asks also where it is a declared check', { checks: [{ command: 'mytool ps -a', counts: true }] }, 'ask'],
    ['is denied where nobody is asked', { mode: 'dontAsk' }, 'deny'],
    ['is denied in plan mode', { mode: 'plan' }, 'deny'],
    ['is allowed by a rule that says so', { allow: ['Bash(unsandboxed:mytool ps *)'] }, 'allow'],
    ['is not allowed by a rule for another', { allow: ['Bash(unsandboxed:git fetch)'] }, 'ask'],
  ])('%s', async (_name, more, decision) => expect(await decide('mytool ps -a', more)).toBe(decision));

  test('a rule that denies counts as ever', async () =>
    expect(await decide('mytool ps', { allow: ['Bash(unsandboxed:mytool *)'] }, true, ['Bash(mytool *)'])).toBe(
      'deny',
    ));
  test('every part of the text needs the rule', async () =>
    expect(await decide('mytool ps; id', { allow: ['Bash(unsandboxed:mytool *)', 'Bash(id)'] })).toBe('ask'));
  test('where there is no sandbox, there is nothing to leave', async () =>
    expect(await decide('mytool ps', { allow: ['Bash(mytool *)'] }, false)).toBe('allow'));
});

test('without a command it is still asked, and says why', async () => {
  const permission = createPermission(ports(true));
  const decided = async (args: PermissionCall['args'], allow: readonly string[] = []) => {
    const { decision, by, reason } = await permission(
      { tool: 'Bash', args, effect: 'process', paths: null },
      context({ allow }),
    );
    return { decision, by, reason };
  };
  const by = 'policy';
  expect(await decided({ unsandboxed: true })).toEqual({
    decision: 'ask',
    by,
    reason: 'it would run outside the sandbox',
  });
  expect(await decided({ command: 'mytool', unsandboxed: true }, ['Bash(mytool)'])).toEqual({
    decision: 'ask',
    by,
    reason: 'it would run outside the sandbox: mytool: no rule allows this command',
  });
  expect(await decided({ command: 'mytool', unsandboxed: true }, ['Bash(unsandboxed:mytool)'])).toEqual({
    decision: 'allow',
    by: 'rule',
    reason: 'rule Bash(unsandboxed:mytool)',
  });
});

test('a rule for outside allows nothing inside', async () => {
  const permission = createPermission(ports(true));
  const call = { tool: 'Bash', args: { command: 'mytool ps' }, effect: 'process', paths: null } as const;
  expect((await permission(call, context({ allow: ['Bash(unsandboxed:mytool *)'] }))).decision).toBe('ask');
});
