import { expect, test } from 'vitest';
import { analyse } from '../../../../src/permission/shell/analyse.ts';
import { isOfMachine, programName } from '../../../../src/permission/shell/programs/profile-of.ts';
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
  ['gfind', 'find'],
  ['gtar', 'tar'],
  ['gxargs', 'xargs'],
  ['genv', 'env'],
  ['gtimeout', 'timeout'],
  ['gsort', 'sort'],
  ['ggrep', 'grep'],
  ['grm', 'rm'],
  ['mawk', 'awk'],
  ['nawk', 'awk'],
  ['original-awk', 'awk'],
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
  expect(await profile(text)).toEqual({ pin: 2, ...said });
});

test.each([
  ['rm', true],
  ['/bin/rm', true],
  ['/usr/bin/rm', true],
  ['python3.12', true],
  ['usr/bin/rm', false],
  ['/usr/local/bin/rm', false],
  ['/usr/bin/x/rm', false],
  ['/bin/../rm', false],
  ['./rm', false],
  ['x/bin/rm', false],
  ['RM', false],
  ['rm.exe', false],
  ['rm.exec', true],
])('whether %s is the program of that name of the machine: %s', (word, is) => expect(isOfMachine(word)).toBe(is));

test.each([
  ['src/nice rm x', { starts: [['rm', 'x'].map(literalWord)] }],
  ['NICE rm x', { starts: [['rm', 'x'].map(literalWord)] }],
  ['/usr/bin/nice rm x', { transparent: true, pathless: true, starts: [['rm', 'x'].map(literalWord)] }],
  ['src/true', {}],
  ['/bin/true', {}],
  ['src/echo x', {}],
  ['/bin/echo x', { pathless: true }],
  ['src/grep x y', {}],
  ['/bin/grep x y', { notPaths: [1] }],
  ['src/git commit -m x', {}],
  ['src/git commit -m "$x"', { hazard: '""$x"" gets its value only when it runs' }],
])('%s is known by its name where that is the one of the machine, or narrows', async (text, said) =>
  expect(await profile(text)).toEqual(said),
);

test('a package that a package runs is named as well', async () => {
  expect((await profile('npx npx x'))?.pin).toBe(3);
});
