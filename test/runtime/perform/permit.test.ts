import { expect, test } from 'vitest';
import type { MaskPort, PermissionPort } from '../../../src/runtime/contract.ts';
import { harness, localTools, modelPlanner } from '../harness.ts';

const hide = (text: string): string => text.replaceAll('hunter2', '[secret:X]');
const mask: MaskPort = { tools: (tools) => tools, result: (fact) => fact, text: hide };
type Decision = Awaited<ReturnType<PermissionPort>>;

async function recorded(decision: Decision, masked: boolean) {
  const made = await harness({
    planner: modelPlanner([{ calls: [{ tool: 'run', args: { command: 'echo hunter2' } }] }, { text: 'Done.' }]),
    tools: localTools({ run: { effect: 'process', run: () => ({ status: 'succeeded', output: '' }) } }),
    permission: async () => decision,
  });
  const guard = { tell: async () => 'hunter2 would be lost', keep: async () => [] };
  await made.reopen({ guard, ...(masked ? { mask } : {}) }).run('Go.');
  return made.facts();
}

const loss = { what: 'x', why: 'hunter2', takes: ['ignored'], paths: null, beyond: null } as const;
const asked = (always: readonly string[]): Decision => ({
  decision: 'ask',
  by: 'policy',
  reason: 'echo hunter2: no rule',
  losses: [loss],
  always,
});

test('what is said of a call that asks holds no secret, and a rule with one is not offered', async () => {
  const of = async (always: readonly string[], masked = true) =>
    (await recorded(asked(always), masked)).find(({ type }) => type === 'approval.requested');
  const said = { reason: 'echo [secret:X]: no rule', preview: '[secret:X] would be lost' };
  expect(await of(['Bash(ls)', 'Bash(echo a)'])).toMatchObject({ ...said, always: ['Bash(ls)', 'Bash(echo a)'] });
  const withSecret = await of(['Bash(ls)', 'Bash(echo hunter2)']);
  expect(withSecret).toMatchObject(said);
  expect(withSecret).not.toHaveProperty('always');
  expect(await of(['Bash(echo hunter2)'], false)).toMatchObject({ always: ['Bash(echo hunter2)'] });
});

test('nor does what is said of one that is denied or allowed', async () => {
  const denied = { decision: 'deny', by: 'rule', reason: 'hunter2', message: 'not hunter2' } as const;
  const verdict = (await recorded(denied, true)).find(({ type }) => type === 'action.verdict');
  expect(verdict).toMatchObject({ verdict: 'deny', reason: '[secret:X]', message: 'not [secret:X]' });
  const allowed = { decision: 'allow', by: 'rule', reason: 'rule Bash(echo hunter2)' } as const;
  const verdicts = (await recorded(allowed, true)).filter(({ type }) => type === 'action.verdict');
  expect(verdicts).toMatchObject([{ verdict: 'allow', reason: 'rule Bash(echo [secret:X])' }]);
});
