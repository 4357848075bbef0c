import { describe, expect, it } from 'vitest';
import { parseRule } from '../../../src/permission/rules/parse-rule.ts';

describe('parseRule', () => {
  it.each([
    'Bash',
    'Bash(node --test)',
    'Bash(npm run *)',
    'Bash(git diff:*)',
    'Bash(*)',
    'Bash(ls *)',
    'Test',
    'Test(pytest *)',
    'Edit(**)',
    'Edit',
    'Write(docs/*.md)',
    'Read(./.env)',
    'Grep',
    ' Edit(src/**) ',
    'mcp__server__tool',
    'mcp__server',
    'mcp__my-server__*',
    'mcp__my_server__get_x',
    'Read(~/x)',
    'Read(//etc/**)',
    'Bash(curl*)',
    'Bash(npm run test*)',
    'WebFetch',
    'WebFetch(domain:example.com)',
    'WebFetch(domain:*.example.com)',
    'Agent(explore)',
    'Task(explore)',
    'Bash(ls ~/x)',
    'Bash(ls ?.c *)',
    "Bash(grep 'a*b' x)",
    'Skill(review)',
    'ApplyPatch',
    'ApplyPatch(src/**)',
    'Glob',
    'Symbols',
    'TodoWrite',
    'TaskOutput',
    'TaskStop',
    'ToolSearch',
    'EnterPlanMode',
    'Commit',
  ])('accepts %s', async (text) => {
    expect((await parseRule(text)).ok).toBe(true);
  });

  it.each([
    ['', 'Tool(what)'],
    ['Bash(', 'Tool(what)'],
    ['Bsah(ls)', 'no tool called Bsah'],
    ['Bash()', 'brackets are empty'],
    ['Bash(ls && rm x)', 'one simple command'],
    ['Bash(ls > out)', 'one simple command'],
    ['Bash(echo $HOME)', 'one simple command'],
    ['Bash(FOO=1 make)', 'one simple command'],
    ['Bash(npm run t*t)', 'only at the end'],
    ['Bash(*)x', 'Tool(what)'],
    ['Bash*', 'no tool called Bash*'],
    ['mcp__', 'mcp__SERVER'],
    ['mcp__*', 'mcp__SERVER'],
    ['mcp__a__b*', 'mcp__SERVER'],
    ['mcp__a__b(x)', 'no brackets'],
    ['WebFetch(example.com)', 'domain:'],
    ['WebFetch(domain:)', 'domain:'],
    ['WebSearch(x)', 'takes no brackets'],
    ['Read(~other/x)', 'own home folder'],
    ['Bash(git * main)', 'only at the end'],
    ['Edit(../x)', 'never'],
    ['Edit(a[b)', 'not closed'],
    ['Grep(src/**)', 'takes no brackets; only Read, Edit, Write, ApplyPatch, Bash, Test do'],
    ['ExitPlanMode', 'always asked'],
  ])('refuses %s and says why', async (text, why) => {
    const parsed = await parseRule(text);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.error).toContain(why === 'never' ? '".."' : why);
  });

  it('names every tool that there is', async () => {
    expect(await parseRule('Bsah')).toEqual({
      ok: false,
      error:
        'rule "Bsah": there is no tool called Bsah; there are Read, Edit, Write, ApplyPatch, Bash, Test, Grep, Glob, Symbols, TodoWrite, TaskOutput, TaskStop, ToolSearch, EnterPlanMode, Commit',
    });
  });
  it('allows rather than narrows where nothing else is said', async () => {
    expect(await parseRule('Bash(curl*)')).toMatchObject({ ok: true, value: { words: ['curl'], stem: false } });
    expect(await parseRule('Bash(curl*)', [], { narrows: true })).toMatchObject({ ok: true, value: { stem: true } });
  });
  it.each([
    ['mcp__a', { kind: 'tool', tool: 'mcp__a', below: 'mcp__a__' }],
    ['mcp__a__*', { kind: 'tool', tool: 'mcp__a', below: 'mcp__a__' }],
    ['mcp__a__b', { kind: 'tool', tool: 'mcp__a__b' }],
    ['Bash(*)', { kind: 'command', tool: 'Bash', words: [], prefix: true, stem: false }],
    ['Bash(a *)', { kind: 'command', tool: 'Bash', words: ['a'], prefix: true, stem: false }],
    ['Bash(a:*)', { kind: 'command', tool: 'Bash', words: ['a'], prefix: true, stem: false }],
    ['Bash(a b*)', { kind: 'command', tool: 'Bash', words: ['a', 'b'], prefix: true, stem: true }],
    ['Bash(a b)', { kind: 'command', tool: 'Bash', words: ['a', 'b'], prefix: false, stem: false }],
  ])('%s is read as %j', async (text, rule) => {
    expect(await parseRule(text)).toEqual({ ok: true, value: { ...rule, text } });
  });
  it.each(['Agent', 'Task', 'Skill'])('%s with brackets is a tool of that whole name', async (tool) => {
    const text = `${tool}(x)`;
    expect(await parseRule(text)).toEqual({ ok: true, value: { kind: 'tool', tool: text, text } });
  });
});
