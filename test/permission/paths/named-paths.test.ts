import { expect, it } from 'vitest';
import { pathsOfCommand } from '../../../src/permission/paths/named-paths.ts';
import { analyse } from '../../../src/permission/shell/analyse.ts';

it.each([
  ['cat a', ['a']],
  ['cat a/b ./c', ['a/b', './c']],
  ['./x a', ['./x', 'a']],
  ['x', []],
  ['cat -', ['-']],
  ['cat --', ['--']],
  ['cat *.ts', ['*.ts!']],
  ['cat ~/x', ['~/x!']],
  ['curl https://a.b/c http://d git://e wss://f WS://g', []],
  ['rsync a:b/c', ['a', 'b/c', 'a:b/c']],
  ['x --file=a/b', ['--file', 'a/b']],
  ['x --file', ['--file']],
  ['x -fa/b', ['-fa/b', 'a/b', '/b']],
  ['x -f../b', ['-f../b', '../b']],
  ['x -abc/d', ['-abc/d', 'bc/d', '/d']],
  ['x -a', ['-a']],
  ['x a=b,c@d', ['a', 'b', 'c', 'd', 'a=b,c@d']],
  ['x a=', ['a', 'a=']],
  ['grep -n a/b c', ['-n', 'c']],
  ['echo a/b', []],
  ['cat $X/a', ['$X/a']],
  ['cat "$HOME/.ssh/x"', ['~/.ssh/x']],
  ['cat $HOME', ['~']],
  ["cat '$HOME/x'", ['$HOME/x']],
  ["cat 'a\"b'", ['a"b']],
  ['cat "${HOME}"/a', ['~/a']],
  ['cat $HOMEX/a', ['$HOMEX/a']],
  ['cat a$HOME/b', ['a$HOME/b']],
] as const)('%s names %j', async (text, paths) => {
  const found = (await analyse(text)).commands.flatMap(pathsOfCommand);
  expect(found.map((one) => `${one.text}${one.pattern ? '!' : ''}`)).toEqual(paths);
});
