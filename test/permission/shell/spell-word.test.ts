/** What a word may become, as far as the text itself tells. */
import { describe, expect, it } from 'vitest';
import { analyse } from '../../../src/permission/shell/analyse.ts';
import { spellWord } from '../../../src/permission/shell/spell-word.ts';

/** What the last word of the last `cat` may become; patterns behind a mark. */
const spelled = async (text: string): Promise<readonly string[]> => {
  const { commands } = await analyse(text);
  const word = commands.findLast(({ words }) => words[0]?.text === 'cat')?.words.at(-1);
  return (word?.spelled ?? []).map((one) => `${one.pattern ? 'glob ' : ''}${one.text}`);
};

describe('what a word may become', () => {
  const table: readonly (readonly [text: string, ...words: string[]])[] = [
    ['cat a'],
    ['cat $HOME/x', '~/x'],
    ['cat "$HOME"', '~'],
    ['cat a$HOME', 'a$HOME', 'a'],
    ['cat ${HOME}/x', '~/x'],
    ['cat $PWD/x', './x'],
    ['cat a$PWD', 'a$PWD', 'a'],
    ['cat $X', '$X', ''],
    ['cat "a$X"b', 'a$Xb', 'ab'],
    ['cat "a"$X', 'a$X', 'a'],
    ["cat $X'a'", '$Xa', 'a'],
    ["cat $X$'a'", '$Xa', 'a'],
    ['cat $X$"a"', '$Xa', 'a'],
    ['cat ${X:-a\\ b}', '${X:-a\\ b}', '', 'a b'],
    ['cat $(echo \\.env)', '$(echo \\.env)', '', '.env'],
    ['cat ${X:-a}b', '${X:-a}b', 'b', 'ab'],
    ['cat ${X:-$Y}', '${X:-$Y}', '', '$Y', ''],
    ['cat ${X:-a*}', '${X:-a*}', '', 'glob a*'],
    ['cat ${X/a/b}', '${X/a/b}', '', 'b'],
    ['cat ${X:-}', '${X:-}', '', ''],
    ['cat ${X/a}', '${X/a}', '', ''],
    ['cat ${X/a/}', '${X/a/}', '', ''],
    ['cat ${X#a}', '${X#a}', ''],
    ['for X in b; do cat ${X#a}; done', '${X#a}', ''],
    ['for X in b; do cat ${X[1]}; done', '${X[1]}', ''],
    ['for X in b; do cat ${#X}; done', '${#X}', ''],
    ['for X in b; do cat ${X}; done', 'b'],
    ['for X in b; do cat $X; done', 'b'],
    ['for X in "b*" c*; do cat $X/y; done', 'b*/y', 'glob c*/y'],
    ['for X in "b*" c*; do cat $X/?; done', 'glob b\\*/?', 'glob c*/?'],
    ['for X in a b; do for Y in $X/c; do cat $Y; done; done', 'a/c', 'b/c'],
    ['for X in a; do true; done; for X in b; do cat $X; done', 'a', 'b'],
    ['cat [a"b"]c', 'glob *c'],
    ['cat [ab]c', 'glob [ab]c'],
    ['cat [a$X]', 'glob *'],
    ['cat {a,b}c', 'ac', 'bc'],
    ['cat x{,.bak}', 'x', 'x.bak'],
    ['cat {a*,b}/{c,d}', 'glob a*/c', 'glob a*/d', 'b/c', 'b/d'],
    ['cat {a,b}*', 'glob a*', 'glob b*'],
    ['cat ~/{a,b}', 'glob ~/a', 'glob ~/b'],
    ['cat x:~/{a,b}', 'glob x:~/a', 'glob x:~/b'],
    ['cat {1..3}', 'glob {1..3}'],
    [`ls {${'a,'.repeat(999)}b}; cat {c,d}`, 'glob {c,d}'],
    ['cat {a,{b,c}}', 'glob {a,{b,c}}'],
    ['cat {a,"b"}', 'glob {a,"b"}'],
    ['cat $(which a)', '$(which a)', '', 'a'],
    ['cat "$(command -v a)"', '$(command -v a)', '', 'a'],
    ['cat $(type -P a)', '$(type -P a)', '', 'a'],
    ['cat $(command -p a)', '$(command -p a)', '', 'a'],
    ['cat $(command a)', '$(command a)', ''],
    ['cat $(type a)', '$(type a)', ''],
    ['cat ~/x', 'glob ~/x'],
    ['cat $((1))', '$((1))', ''],
    ['cat <(a)', '<(a)', ''],
    ['cat $(pwd)/x', './x'],
    ['cat $(pwd -P)/x', '$(pwd -P)/x', '/x'],
    ['cat $(ls x)', '$(ls x)', ''],
    ['cat $(echo a "b c" -n)', '$(echo a b c -n)', '', 'a b c -n'],
    ['cat $(echo -n a)', '$(echo -n a)', '', 'a'],
    ['cat $(echo -a)', '$(echo -a)', '', '-a'],
    ['cat $(printf a)', '$(printf a)', '', 'a'],
    ['cat $(echo > f a)', '$(echo > f a)', '', 'a'],
    ['cat $(echo a; echo b)', '$(echo a; echo b)', ''],
    ['cat $(if true; then echo b; fi)', '$(if true; then echo b; fi)', ''],
  ];
  it.each(table)('%s', async (text, ...words) => {
    expect(await spelled(text)).toEqual(words);
  });

  it('is nothing that no path can be as long as', () => {
    const known = new Map([['X', [{ kind: 'literal', text: 'a'.repeat(10_000) }]]] as const);
    const x = { kind: 'unknown', source: '$X', variable: 'X', or: [] } as const;
    const word = (text: string) => ({ kind: 'dynamic', text: '', pieces: [x, { kind: 'text', text }] }) as const;
    expect(spellWord(word('a'.repeat(9_999)), known).spelled).toHaveLength(1);
    expect(spellWord(word('a'.repeat(10_000)), known).spelled).toEqual([]);
  });

  it('is told up to a depth', async () => {
    const nested = (n: number) => `cat ${'${X:-'.repeat(n)}a${'}'.repeat(n)}`;
    const printed = (n: number) => `cat ${'$(echo '.repeat(n)}a${')'.repeat(n)}`;
    expect(await spelled(nested(8))).toContain('a');
    expect(await spelled(nested(9))).not.toContain('a');
    expect(await spelled(printed(8))).toContain('a');
    expect(await spelled(printed(9))).not.toContain('a');
  });
});
