import { describe, expect, it } from 'vitest';
import type { PermissionCall, PermissionContext } from '../../src/permission/contract.ts';
import { createPermission } from '../../src/permission/create-permission.ts';

const permission = createPermission();
const bash = (command: string): Partial<PermissionCall> => ({ tool: 'Bash', args: { command }, effect: 'process' });
const edit = (path: string): Partial<PermissionCall> => ({ tool: 'Edit', effect: 'file', paths: [path] });
const patch = (...paths: readonly string[]): Partial<PermissionCall> => ({ tool: 'ApplyPatch', effect: 'file', paths });
const decide = (call: Partial<PermissionCall>, over: Partial<PermissionContext>, policy = permission) =>
  policy(
    { tool: '', args: {}, effect: 'read', paths: null, ...call },
    {
      mode: 'default',
      allow: [],
      checks: [],
      workspace: '/repo',
      signal: new AbortController().signal,
      ...over,
    },
  );

describe('what is said besides the decision', () => {
  it('a declared check loses nothing that has to be told', async () => {
    const losing = [{ command: 'git reset --hard', counts: true }];
    expect(await decide(bash('git reset --hard'), { checks: losing })).toEqual({
      decision: 'allow',
      by: 'check',
      reason: 'the command is a check that the user declared',
    });
    expect((await decide(bash('git reset --hard'), {})).losses).toHaveLength(1);
  });
  it('a rule for ever is offered only where nothing else said so', async () => {
    expect((await decide(bash('mytool a'), {})).always).toEqual(['Bash(mytool a)']);
    expect(Object.keys(await decide(bash('mytool a'), { allow: ['Bash(mytool *)'] }))).not.toContain('always');
    expect(await decide(bash('mytool a'), { mode: 'bypassPermissions' })).toEqual({
      decision: 'allow',
      by: 'mode',
      reason: 'mode bypassPermissions',
    });
    const asking = createPermission(null, [], { deny: [], ask: ['Bash(mytool *)'] });
    const asked = await decide(bash('mytool a'), {}, asking);
    expect(asked).toEqual({ decision: 'ask', by: 'rule', reason: 'mytool a: rule Bash(mytool *)' });
  });
  it('what is denied says what to do', async () => {
    const denying = createPermission(null, [], { deny: ['Bash(rm *)'], ask: [] });
    const denied = await decide(bash('rm x'), {}, denying);
    expect(denied.message).toBe(
      'Denied by a rule of the user (rm x: rule Bash(rm *)). Do not try it another way; say what you need.',
    );
    const silent = async (allow: readonly string[]) => (await decide(edit('a'), { mode: 'dontAsk', allow })).message;
    const before = 'No rule allows this Edit call (no rule allows this Edit call) and nobody may be asked. ';
    expect(await silent([])).toBe(`${before}Reach the goal with what is allowed, or say what is missing.`);
    expect(await silent(['Grep', 'Edit(b)'])).toBe(
      `${before}Reach the goal with what is allowed: Grep, Edit(b), or say what is missing.`,
    );
  });
  it('settings are a matter of a person, also one among other files', async () => {
    for (const paths of [['.claude/x'], ['a', '.claude/x']]) {
      expect(await decide(patch(...paths), { allow: ['Edit'] })).toEqual({
        decision: 'ask',
        by: 'policy',
        reason: 'the file decides what may run later',
        personOnly: true,
      });
    }
    expect(await decide({ tool: 'ExitPlanMode' }, { mode: 'plan' })).toMatchObject({ personOnly: true });
    expect(Object.keys(await decide(patch('a'), {}))).not.toContain('personOnly');
  });
});
