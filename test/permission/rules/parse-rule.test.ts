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
});
