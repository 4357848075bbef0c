import { expect, test } from 'vitest';
import { analyse } from '../../../../src/permission/shell/analyse.ts';
import { programName } from '../../../../src/permission/shell/programs/profile-of.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

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
  ['zdiff', 'diff'],
  ['rgrep', 'grep'],
  ['ug', 'ugrep'],
  ['clj', 'clojure'],
  ['runhaskell', 'runghc'],
  ['graalpy', 'python'],
  ['py', 'python'],
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

const profile = async (text: string) => (await analyse(text)).commands[0]?.profile;
test.each([
  ['npx c8 rm x', { starts: [['rm', 'x'].map(literalWord)] }],
  ['npx chronic rm x', { starts: [['rm', 'x'].map(literalWord)] }],
  ['bunx eslint src', {}],
  ['pnpx eslint -c x src', { hazard: 'eslint -c runs a program, reads its orders from a file or writes one' }],
  ['npx svgo a', { writes: [{ word: literalWord('a'), append: false, needsEdit: false }] }],
  ['npx true', {}],
  ['npx grep x', {}],
  ['npx nodemon', { hazard: 'nodemon: it starts programs by itself' }],
])('%s is judged as the package that it names', async (text, said) => {
  const rest = { transparent: false, free: false, pathless: false, notPaths: [], values: [], pin: 2 };
  expect(await profile(text)).toEqual({ ...rest, ...said });
});

test('a package that a package runs is named as well', async () => {
  expect((await profile('npx npx x'))?.pin).toBe(3);
});
