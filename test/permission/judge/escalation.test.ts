import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { leavesSandbox, outsideRules } from '../../../src/permission/judge/escalation.ts';
import { parseRule } from '../../../src/permission/rules/parse-rule.ts';
import type { Rule } from '../../../src/permission/rules/rule.ts';

const confined = { realPath: async (path: string) => path, isConfined: () => true };
const call = (tool: string, args: Json) => ({ tool, args, effect: 'process' as const, paths: null });
const out: Json = { command: 'ls', unsandboxed: true };

describe('a command that leaves the sandbox', () => {
  it.each([
    ['asks to', call('Bash', out), true],
    ['does not', call('Bash', { command: 'ls' }), false],
    ['says no', call('Bash', { command: 'ls', unsandboxed: false }), false],
    ['says it as a text', call('Bash', { command: 'ls', unsandboxed: 'true' }), false],
    ['another tool', call('Test', out), false],
    ['no arguments', call('Bash', null), false],
    ['a text as arguments', call('Bash', 'unsandboxed'), false],
    ['a list as arguments', call('Bash', Object.assign([], { unsandboxed: true })), false],
  ])('%s', (_name, called, leaves) => {
    expect(leavesSandbox(called, confined)).toBe(leaves);
    expect(leavesSandbox(called, { ...confined, isConfined: () => false })).toBe(false);
    expect(leavesSandbox(called, { realPath: confined.realPath })).toBe(false);
    expect(leavesSandbox(called, null)).toBe(false);
  });

  it('is allowed only by rules that say so', async () => {
    const texts = [
      'Bash',
      'Bash(ls *)',
      'Edit(**)',
      'Bash(unsandboxed:*)',
      'Bash(unsandboxed:docker ps *)',
      'Bash(unsandboxed *)',
    ];
    const more = ['Bash(unsandboxed)', 'Bash(unsandboxed x *)', 'Bash(unsandboxed:make)', 'Bash(unsandboxedx:ls)'];
    const rules: Rule[] = [];
    for (const text of [...texts, ...more]) {
      const parsed = await parseRule(text);
      if (parsed.ok) rules.push(parsed.value);
    }
    expect(rules).toHaveLength(texts.length + more.length);
    const { allow, ask, deny } = outsideRules({ allow: rules, ask: rules, deny: rules });
    expect([ask, deny]).toEqual([rules, rules]);
    expect(allow.map((rule) => [rule.text, rule.kind === 'command' && [...rule.words, rule.prefix].join(' ')])).toEqual(
      [
        ['Bash(unsandboxed:*)', 'true'],
        ['Bash(unsandboxed:docker ps *)', 'docker ps true'],
        ['Bash(unsandboxed *)', 'true'],
        ['Bash(unsandboxed:make)', 'make false'],
      ],
    );
  });
});
