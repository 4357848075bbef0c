import { describe, expect, it } from 'vitest';
import { createPermission } from '../../../src/permission/create-permission.ts';
import { judgeRecursion } from '../../../src/permission/judge/judge-recursion.ts';
import { ruleReader } from '../../../src/permission/rules/rule-reader.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

const decide = async (command: string, deny: readonly string[]) =>
  createPermission(null, [], { deny, ask: [] })(
    { tool: 'Bash', args: { command }, effect: 'process', paths: null },
    { mode: 'default', allow: ['Bash'], checks: [], workspace: '/repo', signal: new AbortController().signal },
  );

describe('a command that reads every file below a folder', () => {
  const table: readonly (readonly [rule: string, command: string, decision: 'allow' | 'ask' | 'deny'])[] = [
    ['Read(src/c/d)', 'grep -r x src/c/e', 'allow'],
    ['Read(src/c/d)', 'grep -r x src/c', 'ask'],
    ['Read(src/c/**)', 'grep -r x src', 'ask'],
    ['Read(src/c/**)', 'grep -r x .', 'ask'],
    ['Read(src/c/**)', 'grep -r x', 'ask'],
    ['Read(src/c/**)', 'grep -r x ./', 'ask'],
    ['Read(src/c/**)', 'grep -r x src/c', 'ask'],
    ['Read(src/c/**)', 'grep -r x src/c/d', 'deny'],
    ['Read(src/c/**)', 'grep -r x SRC', 'ask'],
    ['Read(src/c/**)', 'grep -r x src/d', 'allow'],
    ['Read(src/c/**)', 'grep -r x lib', 'allow'],
    ['Read(src/c/**)', 'grep -r x srcx', 'allow'],
    ['Read(src/c/**)', 'grep -r x lib src', 'ask'],
    ['Read(src/c/**)', 'grep -r x s*', 'ask'],
    ['Read(src/c/**)', 'grep -r x "$X"', 'ask'],
    ['Read(src/c/**)', 'grep -r src/c lib', 'allow'],
    ['Read(src/c/**)', 'grep -re x src lib', 'ask'],
    ['Read(src/c/**)', 'grep -rex src lib', 'ask'],
    ['Read(src/c/**)', 'grep -rfx src lib', 'ask'],
    ['Read(src/c/**)', 'rg -gx src lib', 'ask'],
    ['Read(src/c/**)', 'grep -r --regexp=x src lib', 'ask'],
    ['Read(src/c/**)', 'grep -r -f x src lib', 'ask'],
    ['Read(src/c/**)', 'grep -r --file=x src lib', 'ask'],
    ['Read(src/c/**)', 'rg --files src lib', 'ask'],
    ['Read(src/c/**)', 'grep x src', 'allow'],
    ['Read(src/c/**)', 'grep -R x src', 'ask'],
    ['Read(src/c/**)', 'grep -d recurse x src', 'ask'],
    ['Read(src/c/**)', 'grep --recursive x src', 'ask'],
    ['Read(src/c/**)', 'grep --dereference-recursive x src', 'ask'],
    ['Read(src/c/**)', 'grep --directories=recurse x src', 'ask'],
    ['Read(src/c/**)', 'egrep -r x src', 'ask'],
    ['Read(src/c/**)', 'cd src; grep -r x c', 'ask'],
    ['Read(src/c/**)', 'cd src; grep -r x d', 'allow'],
    ['Read(src/c/**)', 'rg x src', 'ask'],
    ['Read(src/c/**)', 'rg x lib', 'allow'],
    ['Read(src/c/**)', 'rg -g y x', 'allow'],
    ['Read(src/c/**)', 'rg -g y x src', 'ask'],
    ['Read(src/c/**)', 'ag x src', 'ask'],
    ['Read(src/c/**)', 'ack x src', 'ask'],
    ...'ripgrep rga pt sift hgrep rgrep ugrep ugrep+ ug ug+ ast-grep sg semgrep ripgrep-all UG'
      .split(' ')
      .flatMap((program): (readonly [string, string, 'ask' | 'allow'])[] => [
        ['Read(src/c/**)', `${program} x`, 'ask'],
        ['Read(src/c/**)', `${program} x src`, 'ask'],
        ['Read(src/c/**)', `${program} x lib`, 'allow'],
        ['Read(src/c/**)', `${program} src/c lib`, 'allow'],
      ]),
    ...'bzgrep xzgrep zstdgrep pcregrep pcre2grep agrep'
      .split(' ')
      .flatMap((program): (readonly [string, string, 'ask' | 'allow'])[] => [
        ['Read(src/c/**)', `${program} -r x src`, 'ask'],
        ['Read(src/c/**)', `${program} x src`, 'allow'],
      ]),
    ['Read(src/c/**)', 'pgrep -r x', 'allow'],
    ['Read(src/c/**)', 'xrg x', 'allow'],
    ['Read(src/c/**)', 'rgx x', 'allow'],
    ...'diff colordiff sdiff gdiff'.split(' ').flatMap((program): (readonly [string, string, 'ask' | 'allow'])[] => [
      ['Read(src/c/**)', `${program} -r . lib`, 'ask'],
      ['Read(src/c/**)', `${program} -rN lib src`, 'ask'],
      ['Read(src/c/**)', `${program} --recursive lib src`, 'ask'],
      ['Read(src/c/**)', `${program} --rec lib src`, 'ask'],
      ['Read(src/c/**)', `${program} -r lib docs`, 'allow'],
      ['Read(src/c/**)', `${program} src lib`, 'ask'],
      ['Read(src/c/**)', `${program} lib/a docs/b`, 'allow'],
    ]),
    ['Read(src/c/**)', 'diffx -r src', 'allow'],
    ['Read(src/c/**)', 'diff -u lib', 'allow'],
    ['Read(src/c/**)', 'repomix', 'ask'],
    ['Read(src/c/**)', 'files-to-prompt src', 'ask'],
    ['Read(src/c/**)', 'code2prompt lib', 'allow'],
    ['Read(src/c/**)', 'gitingest src', 'ask'],
    ['Read(src/c/**)', 'gitleaks detect', 'allow'],
    ['Read(src/c/**)', 'trufflehog src', 'ask'],
    ['Read(src/c/**)', 'rar a lib/x src', 'ask'],
    ['Read(src/c/**)', 'scp -r src host:x', 'ask'],
    ['Read(src/c/**)', 'find src -exec cat {} +', 'ask'],
    ['Read(src/c/**)', 'find -execdir cat {} ";"', 'ask'],
    ['Read(src/c/**)', 'find src -ok cat {} ";"', 'ask'],
    ['Read(src/c/**)', 'find src -okdir cat {} ";"', 'ask'],
    ['Read(src/c/**)', 'find lib -exec cat {} +', 'allow'],
    ['Read(src/c/**)', 'find src -name x', 'allow'],
    ['Read(src/c/**)', 'fd x lib -x cat', 'ask'],
    ['Read(src/c/**)', 'fd -X cat', 'ask'],
    ['Read(src/c/**)', 'fd --exec-batch cat', 'ask'],
    ['Read(src/c/**)', 'fd --exec cat', 'ask'],
    ['Read(src/c/**)', 'fd x lib', 'allow'],
    ['Read(src/c/**)', 'xargs cat', 'ask'],
    ['Read(src/c/**)', 'parallel cat', 'ask'],
    ['Read(src/c/**)', 'timeout 5 rg x src', 'ask'],
    ['Read(src/c/**)', 'zip -r new.zip src', 'ask'],
    ['Read(src/c/**)', 'tar -tf src', 'ask'],
    ['Read(src/c/**)', 'cat src/d', 'allow'],
    ['Read(src/c/x.*)', 'rg x src', 'ask'],
    ['Read(src/c/x)', 'rg x src/c', 'ask'],
    ['Read(src/c/x)', 'rg x src/d', 'allow'],
    ['Read(src/{c,d}/x)', 'rg x src/e', 'ask'],
    ['Read(src/[c]/x)', 'rg x src/e', 'ask'],
    ['Read(src/\\c/x)', 'rg x src/e', 'ask'],
    ['Read(src/?/x)', 'rg x src/e', 'ask'],
    ['Read(**/x)', 'rg x src', 'ask'],
    ['Read(./src/c/**)', 'rg x lib', 'allow'],
    ['Read(/src/c/**)', 'rg x lib', 'allow'],
    ['Read(.env)', 'rg x src', 'ask'],
    ['Read(*.pem)', 'rg x src', 'ask'],
    ['Read(secrets/)', 'rg x src', 'ask'],
    ['Read(//repo/src/c/**)', 'rg x src', 'ask'],
    ['Read(//repo/src/c/**)', 'rg x lib', 'allow'],
    ['Read(//other/src/c/**)', 'rg x src', 'allow'],
    ['Read(~/x)', 'rg x src', 'allow'],
    ['Edit(src/c/**)', 'rg x src', 'allow'],
    ['Grep', 'rg x src', 'allow'],
  ];
  it.each(table)('%s, %s: %s', async (rule, command, decision) => {
    const { decision: decided, reason } = await decide(command, [rule]);
    expect(decided).toBe(decision);
    if (decision === 'ask' && !command.includes('"$X"'))
      expect(reason).toMatch(/it reads every file below, and rule |known only/);
  });
  it.each([
    'cp -r src lib/new',
    'cp -R src lib/new',
    'cp -a src lib/new',
    'cp --recursive src lib/new',
    'cp --archive src lib/new',
  ])('%s', async (command) => {
    const permission = createPermission({ realPath: async (path) => path, kind: async () => 'missing' }, [], {
      deny: ['Read(src/c/**)'],
      ask: [],
    });
    const met = await permission(
      { tool: 'Bash', args: { command }, effect: 'process', paths: null },
      { mode: 'default', allow: ['Bash'], checks: [], workspace: '/repo', signal: new AbortController().signal },
    );
    expect(met).toMatchObject({ decision: 'ask', reason: expect.stringContaining('it reads every file below') });
    expect(
      (await decide(command.replace('src', 'docs').replace('-r ', '').replace('--recursive ', ''), ['Read(src/c/**)']))
        .reason,
    ).not.toContain('every file below');
  });
});

it('asks for files that a rule asks about, too', async () => {
  const decided = async (command: string, deny: readonly string[], ask: readonly string[]) =>
    (
      await createPermission(null, [], { deny, ask })(
        { tool: 'Bash', args: { command }, effect: 'process', paths: null },
        { mode: 'default', allow: ['Bash'], checks: [], workspace: '/repo', signal: new AbortController().signal },
      )
    ).reason;
  const found = 'rg x src: it reads every file below, and rule';
  expect(await decided('rg x src', [], ['Read(src/c/**)'])).toBe(`${found} Read(src/c/**) asks for some`);
  expect(await decided('rg x src', ['Read(src/d)'], ['Read(src/c)'])).toBe(`${found} Read(src/d) denies some`);
  expect(await decided('rg x lib', [], ['Read(src/c/**)'])).toBe('rule Bash');
});

it('looks at files only where a rule keeps some from being read', async () => {
  const looked: string[] = [];
  const kind = async (place: string) => {
    looked.push(place);
    return 'file' as const;
  };
  const where = { workspace: '/repo', folders: ['.'], ports: { realPath: async (path: string) => path, kind } };
  const { commands } = await analyse('git diff src/a');
  const judged = async (...deny: readonly string[]) => {
    const rules = { deny: await ruleReader([])(deny, { narrows: true, workspace: '/repo' }), ask: [] };
    return Promise.all(commands.map((command) => judgeRecursion(command, rules, where)));
  };
  expect(await judged('Edit(src/a)')).toEqual([null]);
  expect(looked).toEqual([]);
  expect(await judged('Read(src/a)')).toMatchObject([{ decision: 'ask' }]);
  expect(looked).toEqual(['src/a']);
});

it('folders that are compared are met, files that are named are not met again', async () => {
  const kinds: { readonly [place: string]: 'directory' | 'file' } = { src: 'directory', lib: 'directory', a: 'file' };
  const ports = { realPath: async (path: string) => path, kind: async (path: string) => kinds[path] ?? 'missing' };
  const decided = async (command: string) =>
    (
      await createPermission(ports, [], { deny: ['Read(secret.txt)'], ask: [] })(
        { tool: 'Bash', args: { command }, effect: 'process', paths: null },
        { mode: 'default', allow: ['Bash'], checks: [], workspace: '/repo', signal: new AbortController().signal },
      )
    ).decision;
  expect(await decided('diff src lib')).toBe('ask');
  expect(await decided('diff a lib')).toBe('ask');
  expect(await decided('diff a $X')).toBe('ask');
  expect(await decided('diff -u a a')).toBe('allow');
  expect(await decided('diff a gone')).toBe('allow');
  expect(await decided('diff')).toBe('allow');
  expect(await decided('diff -r a gone')).toBe('ask');
  expect(await decided('diff --recursive a gone')).toBe('ask');
});
