import { describe, expect, it } from 'vitest';
import { readPlainCommands } from '../../../src/permission/shell/plain-commands.ts';

describe('readPlainCommands', () => {
  const rows: readonly (readonly [text: string, ...words: string[]])[] = [
    ['ls', 'ls'],
    ['ls \'a b\' "c" \\d', 'ls a b c d'],
    ['ls; wc a', 'ls', 'wc a'],
    ['ls\nwc a', 'ls', 'wc a'],
    ['ls && wc a || echo b', 'ls', 'wc a', 'echo b'],
    ['ls | wc | sort', 'ls', 'wc', 'sort'],
    ['ls && wc | sort', 'ls', 'wc', 'sort'],
    ['ls 2>&1', 'ls'],
    ['ls 1>&2', 'ls'],
    ['ls > /dev/null 2>> /dev/null', 'ls'],
    ['a;'.repeat(20), ...Array.from({ length: 20 }, () => 'a')],
    [`a ${'b'.repeat(3998)}`, `a ${'b'.repeat(3998)}`],
  ];
  it.each(rows)('%j', async (text, ...words) => {
    const found = await readPlainCommands(text);
    expect(found?.map((one) => one.words.join(' '))).toEqual(words);
  });
  it.each([
    '',
    '# a',
    'ls &',
    'ls & wc',
    'ls && { wc; }',
    'ls | (wc)',
    'ls $x',
    'ls *',
    'ls ~',
    'ls $(wc)',
    'ls <(wc)',
    'X=1',
    'X=1 ls',
    'ls; CI=1 wc',
    'ls; > /dev/null wc',
    'ls; > /dev/null',
    'ls && { wc; } 2>&1',
    'CI=1 ls',
    'export X=1',
    'ls; export X=1',
    'ls; wc >&3',
    'ls; wc *',
    'ls; wc ~',
    'ls; wc $x',
    'ls > x',
    'ls >> x',
    'ls < x',
    'ls < /dev/null',
    'ls >| /dev/null',
    'ls &> /dev/null',
    'ls >&x',
    'ls >&3',
    'ls > $x',
    'ls <<< x',
    'ls <<X\nX',
    '> x',
    '> /dev/null ls',
    '{fd}> /dev/null ls',
    'ls {fd}> /dev/null',
    '{fd}>&1 ls',
    'if ls; then wc; fi',
    'while ls; do wc; done',
    'f() { ls; }',
    '[[ a ]]',
    '! ls "',
    'ls "',
    'cd $x',
    'cd',
    "ls $'a'",
    'ls $"a"',
    'ls "a$"',
    'ls \u0001',
    'ls\r',
    'ls \u200b',
    'ls \ud800',
    'a;'.repeat(21),
    `a ${'b'.repeat(3999)}`,
  ])('%j is more', async (text) => {
    expect(await readPlainCommands(text)).toBeNull();
  });
  it.each([
    ['ls -l', true, []],
    ['grep -n a b', true, [2]],
    ['git diff', true, []],
    ['rm a', false, []],
    ['rm -r a', false, []],
    ['timeout 5 ls', false, []],
    ['xargs ls', false, []],
    ['bash -c ls', false, []],
    ['cp a b', false, []],
    ['find . -exec ls {} +', false, []],
  ])('%s: plain %s, no paths at %j', async (text, isPlain, notPaths) => {
    expect(await readPlainCommands(text)).toMatchObject([{ isPlain, notPaths }]);
  });
});
