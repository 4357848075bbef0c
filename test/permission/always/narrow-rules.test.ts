import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { narrowRules } from '../../../src/permission/always/narrow-rules.ts';
import type { PermissionContext } from '../../../src/permission/contract.ts';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';
import { broadAllowed, broadAsked } from '../corpus/broad-policy.ts';
import { fieldAllowed, fieldAsked } from '../corpus/field-policy.ts';

const ports = { realPath: async (path: string) => (path.startsWith('out') ? null : path) };
const permission = createPermission(ports, ['Own'], { deny: [], ask: ['Bash(curl *)'] });
const context = (allow: readonly string[], mode: PermissionContext['mode'] = 'default'): PermissionContext => ({
  mode,
  allow,
  checks: [],
  workspace: '/repo',
  signal: new AbortController().signal,
});
const bash = (command: string) => ({ tool: 'Bash', args: { command }, effect: 'process' as const, paths: null });
const file = (tool: string, ...paths: string[]) => ({ tool, args: {}, effect: 'file' as const, paths });

describe('the rules that "always" would store', () => {
  it.each<[string, readonly string[]]>([
    ['git status', ['Bash(git status)']],
    ['mkdir "a b" && touch \'c\'', ["Bash(mkdir 'a b')", 'Bash(touch c)']],
    ["touch it\\'s", ["Bash(touch 'it'\\''s')"]],
    ['ls 2>/dev/null | wc -l', ['Bash(ls)', 'Bash(wc -l)']],
    ['timeout 5 mkdir x', ['Bash(timeout 5 mkdir x)']],
    ["mkdir '*'", ["Bash(mkdir '*')"]],
    ['mkdir x; mkdir x', ['Bash(mkdir x)']],
    ['', []],
    ['npm run build', []],
    ['npm test', []],
    ['make', []],
    ['python3 x.py', []],
    ['node x.js', []],
    ['bash x.sh', []],
    ['./x.sh', []],
    ['timeout 5 bash x.sh', []],
    ['eval x', []],
    ['sudo mkdir x', []],
    ['mkdir ../x', []],
    ['mkdir out/x', []],
    ['cat .env', []],
    ['touch .git/x', []],
    ['touch .belay/settings.json', []],
    ['rm -rf x', []],
    ['rm x', []],
    ['git reset --hard', []],
    ['git config a.b c', []],
    ['echo x > y', []],
    ['touch *', []],
    ['touch $X', []],
    ['touch "$(x)"', []],
    ['A=1 touch x', []],
    ['cd x && touch y', []],
    ['curl x', []],
    ['mkdir a && curl x', []],
  ])('%s', async (command, expected) => {
    const decision = await permission(bash(command), context([]));
    expect(decision.decision).toBe('ask');
    expect(decision.always ?? []).toEqual(expected);
    if (expected.length > 0) expect((await permission(bash(command), context(expected))).decision).toBe('allow');
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['Edit', ['src/a.ts'], ['Edit(src/a.ts)']],
    ['Write', ['new file.txt'], ['Edit(new file.txt)']],
    ['Edit', ['a', 'b'], []],
    ['Edit', ['../a'], []],
    ['Edit', ['/etc/passwd'], []],
    ['Edit', ['out/a'], []],
    ['Edit', ['.belay/settings.json'], []],
    ['Edit', ['.env'], []],
    ['Edit', ['src/[a].ts'], []],
    ['Own', ['a'], []],
  ])('%s of %j', async (tool, paths, expected) => {
    const decision = await permission(file(tool, ...paths), context([]));
    expect(decision.decision).toBe('ask');
    expect(decision.always ?? []).toEqual(expected);
  });

  it('are none where nothing is asked, and where a plan is', async () => {
    expect((await permission(bash('ls'), context(['Bash(ls)']))).always).toBe(undefined);
    expect((await permission(bash('ls'), context([], 'dontAsk'))).always).toBe(undefined);
    const plan = await permission(
      { tool: 'ExitPlanMode', args: {}, effect: 'opaque', paths: null },
      context([], 'plan'),
    );
    expect(plan).toMatchObject({ decision: 'ask', personOnly: true });
    expect(plan.always).toBe(undefined);
  });
});

describe('by themselves, before the policy looks at them again', () => {
  const of = async (command: string) => narrowRules(bash(command), await analyse(command));
  it.each<[string, string | null]>([
    ['mkdir a', 'Bash(mkdir a)'],
    ['mkdir a; exit 1', 'Bash(mkdir a)'],
    ['mkdir a >/dev/null', 'Bash(mkdir a)'],
    ['mkdir a > b', null],
    ['mkdir a; cd b', null],
    ['eval', null],
    ['exit 1', null],
    ['mkdir $X', null],
    ['touch *.x', null],
    ['A=1 mkdir a', null],
    ['rm x', null],
    ['rm -r x', null],
    ['tee x', null],
    ['cp a b', null],
    ['./mkdir a', null],
    ['/bin/mkdir a', null],
    ['node', null],
    ['bash', null],
    ['npx', null],
    ['timeout 5 node --test', null],
    ['mkdir a && npm test', null],
    [Array.from({ length: 8 }, (_, at) => `mkdir ${at}`).join('; '), 'Bash(mkdir 0)'],
    [Array.from({ length: 9 }, (_, at) => `mkdir ${at}`).join('; '), null],
  ])('%s', async (command, first) => {
    expect((await of(command))?.[0] ?? null).toBe(first);
  });

  it.each<[string, readonly string[] | null, boolean]>([
    ['Edit', ['a'], true],
    ['Write', ['a', 'b'], true],
    ['Edit', ['a', '../b'], false],
    ['Edit', ['a', '.git/x'], false],
    ['Edit', ['a', '.belay/x'], false],
    ['Edit', ['a', 'b[c]'], false],
    ['Edit', ['a*'], false],
    ['Edit', [], false],
    ['Edit', null, false],
    ['Read', ['a'], false],
  ])('%s of %j', async (tool, paths, isOffered) => {
    const rules = await narrowRules({ tool, args: {}, effect: 'file', paths }, null);
    expect(rules).toEqual(isOffered ? (paths ?? []).map((path) => `Edit(${path})`) : null);
  });

  it('none that no rule can say', async () => {
    expect(await narrowRules({ tool: 'Monitor', args: {}, effect: 'process', paths: null }, await analyse('ls'))).toBe(
      null,
    );
  });
});

const wrapped = /\b(builtin|command|env|exec|nohup|nice|ionice|timeout|time|xargs|stdbuf|setsid)\b/;
const texts = [...fieldAllowed, ...fieldAsked, ...broadAllowed, ...broadAsked].filter((text) => text.length < 300);
property.prop([fc.constantFrom(...texts), fc.constantFrom(...texts)], { numRuns: 300 })(
  'rules for one text allow another one only where all its commands are in the first',
  async (first, second) => {
    const { always } = await permission(bash(first), context([]));
    if (always === undefined) return;
    // A wrapper is judged by what it starts, and its own rule names the whole.
    if (wrapped.test(second)) return;
    const other = await permission(bash(second), context(always));
    if (other.decision !== 'allow') return;
    const alone = await permission(bash(second), context([]));
    if (alone.decision === 'allow') return;
    expect((alone.always ?? []).every((rule) => always.includes(rule))).toBe(true);
  },
);
