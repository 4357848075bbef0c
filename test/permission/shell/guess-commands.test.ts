import { expect, test } from 'vitest';
import { analyse } from '../../../src/permission/shell/analyse.ts';
import { everyCommand } from '../../../src/permission/shell/every-command.ts';
import { guessCommands } from '../../../src/permission/shell/guess-commands.ts';
import { literalWord } from '../../../src/permission/shell/shell-word.ts';

const shown = (words: readonly { readonly text: string }[]) => words.map(({ text }) => text).join(' ');
const perhaps = async (text: string) => {
  const { commands, perhaps: own = [] } = await analyse(text);
  const all = [...everyCommand(commands).flatMap((one) => one.perhaps ?? []), ...own].map(shown);
  return [...new Set(all)].sort();
};

test.each<[string, readonly string[]]>([
  ['ls; nice rm x', []],
  ['sudo -u me rm x', ['me rm x', 'rm x']],
  // What a guess starts is one, and is told once.
  ['sudo nice rm x', ['nice rm x', 'rm x']],
  ['sudo -u a -u b flock f rm x', ['a -u b flock f rm x', 'b flock f rm x', 'flock f rm x', 'f rm x', 'rm x']],
  ['sudo $x', []],
  // Texts that may be run.
  ["ssh h 'rm x; sudo a b'", ['h rm x; sudo a b', 'rm x', 'sudo a b', 'a b', 'b']],
  ['wrap \'sh -c "rm x"\'', ['sh -c rm x', 'rm x']],
  ["sudo sh -c 'rm x'", ['sh -c rm x', 'rm x']],
  ["ssh h 'a (b'", ['h a (b', 'a b', 'b']],
  // What a shell reads.
  ["bash <<< 'rm x'", ['rm x']],
  ['echo rm x | bash', ['rm x', 'rm', 'x']],
  ['echo rm x | bash x.sh', ['./x.sh']],
  ['echo rm x | cat', []],
  ["cat <<< 'rm x'", []],
  // What this shell evaluates.
  ['eval "$(echo rm x)"', ['rm x', 'rm', 'x']],
  ['eval $(printf "rm x")', ['rm x']],
  ['. <(echo rm x)', ['rm x', 'rm', 'x']],
  ['source <(echo rm x)', ['rm x', 'rm', 'x']],
  ['command eval "$(echo rm x)"', ['rm x', 'rm', 'x']],
  ['. ./a.sh; cat <(echo rm x)', ['./a.sh']],
  // What braces make of one word.
  ['rm {-rf,x}', ['rm -rf x']],
  ['rm -{r,f}{,x} y', ['rm -r -rx -f -fx y']],
  ['{git,push} x', ['git push x', 'git x', 'push x', 'x']],
  ['rm {a*,b}', ['rm a* b']],
  ['rm x*', []],
  // Where a program is found.
  ['$(which rm) x', ['$(which rm) x', 'rm x', 'rm) x', 'x']],
  ['"$(command -v rm)" x', ['$(command -v rm) x', 'rm x', 'rm) x', 'x']],
  // What the text prints for another one.
  ['echo push x | xargs git', ['git', 'git push', 'git push x', 'git x']],
  ['xargs git <<< "push x"', ['git', 'git push x']],
  ['echo push | xargs -I{} git {} y', ['git push y push', 'git {} y', 'y']],
  ['ls | xargs git', ['git']],
  ['echo push | cat git', []],
  // What a variable names.
  ["x='rm -r'; $x a", ['rm -r a']],
  ["x='nice rm'; $x a", ['nice rm a', 'rm a']],
  ['$x a', ['$x a', 'a']],
])('%s may start %j', async (text, expected) => expect(await perhaps(text)).toEqual([...expected].sort()));

test('so many are guessed', () => {
  const none = () => [];
  const words = Array.from({ length: 100 }, (_one, i) => `wrap -q a${i}`).join(' ');
  const given = `sudo ${words}`.split(' ').map(literalWord);
  expect(guessCommands({ commands: [given], texts: [] }, none)).toHaveLength(30);
  expect(guessCommands({ commands: [[]], texts: [] }, none)).toEqual([]);
  const alike = [['a', 'bc'].map(literalWord), ['ab', 'c'].map(literalWord)];
  expect(guessCommands({ commands: alike, texts: [] }, none).slice(0, 2)).toEqual(alike);
  expect(guessCommands({ commands: [], texts: ['a'] }, (text) => [[], [literalWord(text)]])).toEqual([
    [literalWord('a')],
  ]);
});

test('so many words of braces are looked at', async () => {
  const letters = 'a,'.repeat(9);
  expect(await perhaps(`rm {${letters}b}{${letters}b}{${letters}b}`)).toHaveLength(1);
  const [within = ''] = await perhaps(`rm {${letters}b}{${letters}b}{${letters}b}`);
  expect(within.split(' ')).toHaveLength(501);
  const [, beyond = ''] = await perhaps(`cat {${letters}b}{${letters}b}{${letters}b}; rm {c,d}`);
  expect(beyond).toBe('rm {c,d}');
  expect(await perhaps('cat {c,d}; rm {c,d} x; ls')).toEqual(['cat c d', 'rm c d x']);
});

test('so many texts are read as if they were run, each once', async () => {
  const texts = Array.from({ length: 25 }, (_one, i) => `'rm ${i}'`);
  const run = `ssh ${texts.join(' ')} ${texts.join(' ')}`;
  expect((await perhaps(run)).filter((one) => /^rm \d+$/.test(one))).toHaveLength(20);
});
