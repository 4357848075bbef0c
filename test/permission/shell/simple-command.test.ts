import { describe, expect, it } from 'vitest';
import { sameCommand } from '../../../src/permission/shell/same-command.ts';
import { readSimpleCommand } from '../../../src/permission/shell/simple-command.ts';

const simple: readonly (readonly [text: string, words: readonly string[]])[] = [
  ['node --test', ['node', '--test']],
  ['  node   --test  ', ['node', '--test']],
  ['no"d"e --test # why not', ['node', '--test']],
  ["$'\\x72m' x", ['rm', 'x']],
  ['echo \'a b\' "c d"', ['echo', 'a b', 'c d']],
  ['ls *.c', ['ls', '\0*.c']],
  ["ls '*.c'", ['ls', '*.c']],
  ['ls ~/x', ['ls', '\0~/x']],
  ['ls {a,b}', ['ls', '\0{a,b}']],
  ['git\u00a0status', ['git\u00a0status']],
  ['ls;', ['ls']],
  ['node \\\n --test', ['node', '--test']],
];

const refused: readonly string[] = [
  '',
  '# only words',
  'ls; rm x',
  'ls\nrm x',
  'ls && rm x',
  'ls | sh',
  'ls & ',
  'ls > out',
  'ls < in',
  'ls 2>&1',
  'cat <<EOF\nx\nEOF',
  'cat <<< x',
  'FOO=1 ls',
  'FOO=1',
  'export FOO=1',
  '$CMD x',
  '{rm,-rf,/}',
  '~/bin/x',
  '*/run',
  'echo $HOME',
  'echo "${HOME}"',
  'echo $(rm x)',
  'echo "`rm x`"',
  'echo $((1+1))',
  'ls {$(rm x),b}',
  'diff <(ls) x',
  'ls @(a|b)',
  'echo $"x"',
  '! ls',
  'time ls',
  'coproc ls',
  '(ls)',
  '{ ls; }',
  'if true; then ls; fi',
  'for x in a; do ls; done',
  'f() { ls; }',
  '[[ a == b ]]',
  '((1+1))',
  'if',
  'ls "',
  'ls \0x',
  'ls \x1b[2J',
  `${'$('.repeat(3000)}`,
];

describe('readSimpleCommand', () => {
  it.each(simple)('reads %j', async (text, words) => {
    expect(await readSimpleCommand(text)).toEqual({ ok: true, value: { words } });
  });
  it.each(refused)('refuses %j', async (text) => {
    expect((await readSimpleCommand(text)).ok).toBe(false);
  });
});

describe('sameCommand', () => {
  it.each([
    ['node --test', ' node  --test ', true],
    ['node --test', 'node "--test"', true],
    ['npm test && npm run lint', '\nnpm test && npm run lint', true],
    ['npm test && npm run lint', 'npm test  && npm run lint', false],
    ['ls *.c', "ls '*.c'", false],
    ['node --test', 'node --test x', false],
    ['echo $A', 'echo  $A', false],
    ['node --test', '\u00a0node --test', false],
    ['node --test', 'node --test\r', false],
  ])('%j and %j: %s', async (a, b, same) => {
    expect(await sameCommand(a, b)).toBe(same);
  });
});

describe('why a text is no simple command', () => {
  it.each([
    ['', 'there is no command'],
    ['ls; rm x', 'more than one command'],
    ['ls &', 'in the background'],
    ['(ls)', 'not one simple command'],
    ['ls && rm x', 'not one simple command'],
    ['X=1 ls', 'assigns or redirects before'],
    ['X=1', 'assigns or redirects before'],
    ['> x ls', 'assigns or redirects before'],
    ['export X=1', 'assigns a variable'],
    ['ls > x', 'redirects input or output'],
    ['ls <<< x', 'redirects input or output'],
    ['ls $x', '"$x" gets its value only when the command runs'],
    ['$x', 'gets its value only when the command runs'],
    ['* x', 'the command word is a pattern'],
    ['~/x', 'the command word is a pattern'],
    ['ls "', 'cannot be parsed'],
    ['ls \u0001', 'control characters'],
    [`ls ${'a'.repeat(99_998)}`, 'too long'],
  ])('%j: %s', async (text, why) => {
    expect(await readSimpleCommand(text)).toMatchObject({ ok: false, error: expect.stringContaining(why) });
  });
  it('a long one is read', async () => {
    expect((await readSimpleCommand(`ls ${'a'.repeat(99_997)}`)).ok).toBe(true);
  });
});
