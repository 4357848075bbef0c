import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import type { PermissionCall } from '../../../src/permission/contract.ts';
import { matchRule, matchWords } from '../../../src/permission/rules/match-rule.ts';
import { parseRule } from '../../../src/permission/rules/parse-rule.ts';
import type { Rule, RuleSide } from '../../../src/permission/rules/rule.ts';

const allowing: RuleSide = { narrows: false, workspace: '/repo', home: '/home/me' };
const narrowing: RuleSide = { ...allowing, narrows: true };
const ruleOf = async (text: string, side: RuleSide): Promise<Rule> => {
  const parsed = await parseRule(text, [], side);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.value;
};
const call = (tool: string, paths: readonly string[] | null = null, args: Json = {}): PermissionCall => ({
  tool,
  args,
  effect: 'read',
  paths,
});

describe('a rule and a call', () => {
  const url = (one: Json) => call('WebFetch', null, { url: one });
  const table: readonly (readonly [rule: string, call: PermissionCall, matches: boolean])[] = [
    ['Grep', call('Grep'), true],
    ['Grep', call('Glob'), false],
    ['Edit', call('Write'), true],
    ['Edit', call('Edit'), true],
    ['Edit', call('ApplyPatch'), true],
    ['Edit', call('Grep'), false],
    ['Write', call('ApplyPatch'), false],
    ['ApplyPatch(src/**)', call('ApplyPatch', ['src/a']), true],
    ['ApplyPatch(src/**)', call('Write', ['src/a']), false],
    ['Edit(src/**)', call('ApplyPatch', ['src/a']), true],
    ['Write', call('Edit'), false],
    ['mcp__a', call('mcp__a__get'), true],
    ['mcp__a', call('mcp__ab__get'), false],
    ['mcp__a__*', call('mcp__a__get'), true],
    ['mcp__a__*', call('mcp__b__get'), false],
    ['mcp__a__get', call('mcp__a__get'), true],
    ['mcp__a__get', call('mcp__a__get_all'), false],
    ['mcp__a_b', call('mcp__a_b__get'), true],
    ['Read(src/**)', call('Read', ['src/a']), true],
    ['Read(src/**)', call('Read', ['src/a', 'b']), false],
    ['Read(src/**)', call('Read', []), false],
    ['Read(src/**)', call('Read'), false],
    ['Read(src/**)', call('Grep', ['src/a']), true],
    ['Read(src/**)', call('Symbols', ['src/a']), true],
    ['Read(src/**)', call('Glob', ['src/a']), false],
    ['Read', call('Grep'), true],
    ['Read', call('Symbols'), true],
    ['Read', call('Glob'), false],
    ['Grep', call('Read'), false],
    ['Read(**)', call('Read', ['../a']), false],
    ['Read(**)', call('Read', ['..']), false],
    ['Read(**)', call('Read', ['/a']), false],
    ['Read(**)', call('Read', ['~/a']), false],
    ['Read(//repo/src/**)', call('Read', ['src/a']), true],
    ['Read(//repo/src/**)', call('Read', ['test/a']), false],
    ['Read(//etc/**)', call('Read', ['/etc/passwd']), true],
    ['Read(//etc/**)', call('Read', ['etc/passwd']), false],
    ['Read(//home/me/x)', call('Read', ['~/x']), true],
    ['Read(~/.ssh/**)', call('Read', ['~/.ssh/id']), true],
    ['Read(~/.ssh/**)', call('Read', ['/home/me/.ssh/id']), true],
    ['Read(~/.ssh/**)', call('Read', ['/home/you/.ssh/id']), false],
    ['Read(~/.ssh/**)', call('Read', ['.ssh/id']), false],
    ['Read(~/**)', call('Read', ['/etc/a-long-name']), false],
    ['WebFetch', url('https://a.b/'), true],
    ['WebFetch(domain:a.b)', url('https://a.b/x?y'), true],
    ['WebFetch(domain:A.b)', url('https://a.B:8080/x'), true],
    ['WebFetch(domain:a.b)', url('https://c.a.b/'), false],
    ['WebFetch(domain:a.b)', url('https://a.b.c/'), false],
    ['WebFetch(domain:a.b)', url('https://a.b@c.d/'), false],
    ['WebFetch(domain:*.a.b)', url('https://c.a.b/'), true],
    ['WebFetch(domain:*.a.b)', url('https://a.b/'), false],
    ['WebFetch(domain:*.a.b)', url('https://xa.b/'), false],
    ['WebFetch(domain:a.b)', url('a.b'), false],
    ['WebFetch(domain:a.b)', url(7), false],
    ['WebFetch(domain:a.b)', call('WebFetch', null, null), false],
    ['WebFetch(domain:a.b)', call('Read', null, { url: 'https://a.b/' }), false],
    ['Bash(ls)', call('Bash', null, { command: 'ls' }), false],
  ];
  it.each(table)('%s, %j: %s', async (rule, called, matches) => {
    expect(matchRule(await ruleOf(rule, allowing), called)).toBe(matches);
  });
  it.each([
    ['Read(.env)', '.ENV'],
    ['Edit(.git/**)', '.Git/HOOKS/x'],
    ['Read(~/.ssh/**)', '/home/me/.SSH/id'],
  ])('%s counts in any case of the letters only where it narrows: %s', async (text, path) => {
    const called = call(text.startsWith('Edit') ? 'Edit' : 'Read', [path]);
    expect(matchRule(await ruleOf(text, narrowing), called)).toBe(true);
    expect(matchRule(await ruleOf(text, allowing), called)).toBe(false);
  });
  it('without a known place, full paths are never inside', async () => {
    const known = await ruleOf('Read(//repo/**)', { narrows: true });
    expect(matchRule(known, call('Read', ['a']))).toBe(false);
    expect(matchRule(await ruleOf('Read(~/a)', { narrows: true }), call('Read', ['~/a']))).toBe(true);
    expect(matchRule(await ruleOf('Read(~/a)', { narrows: true }), call('Read', ['/home/me/a']))).toBe(false);
  });
});

describe('a rule and the words of a command', () => {
  const table: readonly (readonly [rule: string, words: string, allows: boolean, narrows: boolean])[] = [
    ['Bash(ls)', 'ls', true, true],
    ['Bash(ls)', 'ls -l', false, false],
    ['Bash(ls *)', 'ls', true, true],
    ['Bash(ls *)', 'ls -l', true, true],
    ['Bash(ls *)', 'lsof', false, false],
    ['Bash(ls:*)', 'ls -l', true, true],
    ['Bash(ls:*)', 'lsof', false, false],
    ['Bash(curl*)', 'curl x', true, true],
    ['Bash(curl*)', 'curlie x', false, true],
    ['Bash(curl*)', 'xcurl', false, false],
    ['Bash(npm run test*)', 'npm run test:unit', true, true],
    ['Bash(npm run test*)', 'npm run test --x', true, true],
    ['Bash(npm run test*)', 'npm run build', false, false],
    ['Bash(npm run test*)', 'npm running test', false, false],
    ['Bash(npm run test*)', 'npm run', false, false],
    ['Bash(*)', 'anything', true, true],
  ];
  it.each(table)('%s, %s: allows %s, narrows %s', async (text, words, allows, narrows) => {
    for (const [side, expected] of [
      [allowing, allows],
      [narrowing, narrows],
    ] as const) {
      const rule = await ruleOf(text, side);
      expect(rule.kind === 'command' && matchWords(rule, words.split(' '))).toBe(expected);
    }
  });
});
