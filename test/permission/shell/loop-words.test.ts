/** Which words of loops are told by the words of the loop, and where that cannot be relied on. */
import { expect, it } from 'vitest';
import { analyse } from '../../../src/permission/shell/analyse.ts';
import { loopVariables, maySet } from '../../../src/permission/shell/loop-words.ts';
import { literalWord } from '../../../src/permission/shell/shell-word.ts';

const told = async (text: string): Promise<readonly string[]> => {
  const { commands, doubts } = await analyse(text);
  return [...commands.flatMap(({ words }) => words.filter((word) => word.told).map((word) => word.text)), ...doubts];
};
const more = (name: string): string => `${name} may hold more than the words of its loop`;

it.each<[string, readonly string[]]>([
  ['for f in a; do cat "$f"; done', ['"$f"']],
  ['for f in a*; do cat "$f"; done', ['"$f"']],
  ['for f in a; do cat x"$f"; done', ['x"$f"']],
  ['for f in a; do cat "x/${f}.y"; done', ['"x/${f}.y"']],
  ['for f in a b/c.d; do cat $f; done', ['$f']],
  ['for f in a; do (cat "$f" | head) && ls; done', ['"$f"']],
  ['for f in a; do while ls; do cat "$f"; done; done', ['"$f"']],
  ['for f in a; do for g in b; do cat "$f$g"; done; done', ['"$f$g"']],
  ['for f in a; do set -e; cat "$f"; done', ['"$f"']],
  ['for f in a; do printf x; cat "$f"; done', ['"$f"']],
  ['for f in a; do cat "$f"; done; for g in b; do cat "$g"; done', ['"$f"', '"$g"']],
  ['for f in a; do echo; done; for f in b; do echo; done', []],
  // Several words, or none that is known.
  ['for f in a*; do cat $f; done', []],
  ["for f in 'a b'; do cat $f; done", []],
  ["for f in a 'b c'; do cat $f; done", []],
  ['for f in a; do cat "$f$x"; done', []],
  ['for f in a; do cat "${f%a}"; done', []],
  ['for f in a; do cat "$f"*; done', []],
  ['for f in $x; do cat "$f"; done', []],
  ['for f in a $x; do cat "$f"; done', []],
  ['for f; do cat "$f"; done', []],
  ['for f in a; do echo; done; cat "$f"', []],
  ['for f in a; do for f in $x; do cat "$f"; done; done', []],
  ['for f in a; do cat "$(cat "$f")"; done', []],
  ['cat "$f"', []],
  // Other values.
  ['for f in a; do cat "$f"; done; for f in b; do cat "$f"; done', ['"$f"', '"$f"', more('f')]],
  ['for f in a; do while ls; do cat "$f"; for f in b; do ls; done; done; done', ['"$f"', more('f')]],
  ['for f in a; do cat "$f"; done; read f', ['"$f"', more('f')]],
  ['for f in a; do timeout 5 cat "$f"; read g; done', ['"$f"', more('f')]],
  ['for f in a; do cat "$f"; printf -v f x; done', ['"$f"', more('f')]],
])('%s: %j', async (text, expected) => expect(await told(text)).toEqual(expected));

it('builtins that set variables, unless they are harmless', () => {
  for (const name of ['read', 'mapfile', 'printf', 'declare', 'eval', '.', 'source', 'set', 'unset', 'wait']) {
    expect(maySet(name, false), name).toBe(true);
    expect(maySet(name, true), name).toBe(false);
  }
  for (const name of ['cat', 'reader', './read', '']) expect(maySet(name, false), name).toBe(false);
});

it('other words hold no variables', () => {
  const loops = new Set(['f']);
  expect(loopVariables(literalWord('f'), loops)).toBeNull();
  expect(loopVariables({ kind: 'pattern', text: '*' }, loops)).toBeNull();
  expect(loopVariables({ kind: 'dynamic', text: '"$f"', single: true }, new Set())).toBeNull();
});
