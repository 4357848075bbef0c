import { expect, test } from 'vitest';
import { firstOperand, isOption } from '../../../../src/permission/shell/programs/options.ts';
import type { ShellWord } from '../../../../src/permission/shell/shell-word.ts';

test.each<[string, boolean]>([
  ['--all', true],
  ['--al', true],
  ['--all=x', true],
  ['--allx', false],
  ['--', false],
  ['-', false],
  ['-xa', true],
  ['-all', true],
  ['-b', false],
  ['a', false],
  ['--but', false],
  ['--but=x', false],
  ['--bu', true],
  ['-ab', false],
  ['@x', false],
])('%s is one of the options: %s', (text, is) => {
  expect(isOption(text, { long: ['--all', '--but'], short: 'a', except: ['--but', '-ab'] })).toBe(is);
});

test('a file of options is one where it may hold them', () => {
  expect(isOption('@x', { short: '@' })).toBe(true);
  expect(isOption('@x', {})).toBe(false);
});

const words = (...texts: readonly string[]): readonly ShellWord[] => texts.map((text) => ({ kind: 'literal', text }));
const known = { flags: /^-[ab]$/, valued: /^-v$/ };
test.each<[readonly ShellWord[], number | null]>([
  [words('x', 'y'), 1],
  [words('x', '-a', '-b', 'y'), 3],
  [words('x', '-v', 'y', 'z'), 3],
  [words('x', '-c', 'y'), null],
  [words('x', '--', '-c'), 2],
  [words('x', '-'), 1],
  [words('x'), 1],
  [[...words('x', '-a'), { kind: 'dynamic', text: '-$y' }], 2],
  [[...words('x'), { kind: 'pattern', text: '-a*' }], 1],
])('the first operand of %j stands at %j', (given, at) => {
  expect(firstOperand(given, known)).toBe(at);
});
