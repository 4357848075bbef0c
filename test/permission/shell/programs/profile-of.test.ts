import { expect, test } from 'vitest';
import { analyse } from '../../../../src/permission/shell/analyse.ts';
import { programName } from '../../../../src/permission/shell/programs/profile-of.ts';

test.each([
  ['rm', 'rm'],
  ['/bin/RM.exe', 'rm'],
  ['cc', 'gcc'],
  ['g++', 'gcc'],
  ['c++', 'gcc'],
  ['clang', 'gcc'],
  ['clang++', 'gcc'],
  ['python3.12', 'python'],
  ['pypy3', 'python'],
  ['luajit-2', 'luajit-2'],
  ['luajit2', 'lua'],
  ['gawk', 'awk'],
  ['gsed', 'sed'],
  ['pip3', 'pip'],
  ['batcat', 'bat'],
  ['gdiff', 'diff'],
  ['zless', 'less'],
  ['more', 'less'],
  ['most', 'less'],
  ['constructor', 'constructor'],
])('%s is known as %s', (word, name) => expect(programName(word)).toBe(name));

test.each([
  ["bash -c 'rm x'", 'rm x'],
  ["bash -c -x 'rm x'", 'rm x'],
  ["bash -c +x 'rm x'", 'rm x'],
])('%s starts %s', async (text, inner) => {
  const { commands } = await analyse(text);
  expect(commands.map(({ words }) => words.map((word) => word.text).join(' '))).toContain(inner);
});

test.each(['bash -x', 'bash +x', 'bash'])('%s runs what it reads', async (text) => {
  expect((await analyse(text)).commands[0]?.profile.hazard).toBe('bash runs what it reads');
});
