import { describe, expect, test } from 'vitest';
import { createPermission } from '#permission';
import { folderOf, startedIn } from '../../src/permission/folder-of.ts';

const context = {
  mode: 'default' as const,
  allow: ['Bash(ls *)', 'Bash(ls)', 'Bash(cat *)', 'Bash(git status)', 'Bash(rm *)'],
  checks: [{ command: 'npm test', counts: true }],
  workspace: '/w',
  signal: new AbortController().signal,
};
const decide = createPermission();
const decision = async (args: object, cwd?: string) =>
  (
    await decide(
      { tool: 'Bash', args: { ...args } as never, effect: 'process', paths: null },
      { ...context, ...(cwd === undefined ? {} : { cwd }) },
    )
  ).decision;

describe('a command that starts in another folder', () => {
  test.each([
    ['a plain command', { command: 'ls' }, 'sub', 'allow'],
    ['the folder of the call itself', { command: 'ls', cwd: 'sub' }, undefined, 'allow'],
    ['back in the workspace', { command: 'ls', cwd: '.' }, 'sub', 'allow'],
    ['a way out of the workspace', { command: 'cat ../../etc/passwd' }, 'sub', 'ask'],
    ['a way up that stays inside is not understood in both', { command: 'cat ../a' }, 'sub', 'ask'],
    ['a repository of its own', { command: 'git status' }, 'sub', 'ask'],
    ['a declared check', { command: 'npm test' }, 'sub', 'ask'],
    ['a declared check in the workspace', { command: 'npm test' }, undefined, 'allow'],
    ['a folder outside', { command: 'ls', cwd: '/etc' }, undefined, 'ask'],
    ['quotes in its name', { command: 'ls', cwd: "a'; rm -r x; '" }, undefined, 'allow'],
    ['what would lose work', { command: 'rm -r x' }, 'sub', 'ask'],
  ] as const)('%s', async (_name, args, cwd, expected) => {
    expect(await decision(args, cwd)).toBe(expected);
  });
});

describe('the folder of a call', () => {
  const folder = (tool: string, args: unknown, cwd?: string) =>
    folderOf(
      { tool, args: args as never, effect: 'process', paths: null },
      { ...context, ...(cwd === undefined ? {} : { cwd }) },
    );
  test.each<[string, unknown, string | undefined, string]>([
    ['Bash', {}, undefined, '.'],
    ['Bash', {}, 'sub', 'sub'],
    ['Bash', { cwd: 'here' }, 'sub', 'here'],
    ['Bash', { cwd: 1 }, 'sub', 'sub'],
    ['Bash', null, 'sub', 'sub'],
    ['Bash', 'cwd', 'sub', 'sub'],
    ['Bash', Object.assign([], { cwd: 'here' }), 'sub', 'sub'],
    ['Bash', Object.assign(() => {}, { cwd: 'here' }), 'sub', 'sub'],
    ['Test', { cwd: 'here' }, 'sub', '.'],
  ])('%s with %j after %s: %s', (tool, args, cwd, expected) => {
    expect(folder(tool, args, cwd)).toBe(expected);
  });

  const analysis = { commands: [], writes: [], reads: [], given: [], folders: ['.'], doubts: ['known'] };
  test.each<[string, string, readonly string[], readonly string[]]>([
    ['.', 'the workspace', ['.', 'a', '/b'], ['.', 'a', '/b']],
    ['sub', 'a folder of it', ['.', 'a', '/b'], ['.', 'a', '/b', 'sub', 'sub/a']],
    ['sub', 'where the text starts elsewhere', ['/b'], ['/b']],
    ['/w/sub', 'its full path', ['.'], ['.', '/w/sub']],
  ])('%s, %s: %j', (named, _what, folders, expected) => {
    const given = { ...analysis, folders };
    const started = startedIn(given, named, '/w');
    expect(started).toEqual({ ...given, folders: expected });
    expect(started === given).toBe(named === '.');
  });
  test.each(['..', '/etc', 'a/../..'])('outside: %s', (named) => {
    expect(startedIn(analysis, named, '/w').doubts).toEqual(['known', 'it starts outside the workspace']);
  });
});
