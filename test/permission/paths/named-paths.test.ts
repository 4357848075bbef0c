import { expect, it } from 'vitest';
import { pathsOfCommand, pathsOfText } from '../../../src/permission/paths/named-paths.ts';
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
  ['curl "FILE:///a?b"', ['FILE:///a?b@', 'FILE', '///a?b', 'FILE:///a?b']],
  ['x a,file:%2Fa=b', ['file:%2Fa=b@', 'a', 'file', '%2Fa', 'b', 'a,file:%2Fa=b']],
  ['x file:./a-b+c~d', ['file', './a-b+c~d', 'file:./a-b+c~d']],
  ["x 'file: %a'", ['file', ' %a', 'file: %a']],
  ["x 'profile:%a' X-file:%a", ['profile', '%a', 'profile:%a', 'X-file', '%a', 'X-file:%a']],
  ['curl http://x/file:%41', []],
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
  ['cat $X/a', ['$X/a', '/a']],
  ['cat "$HOME/.ssh/x"', ['~/.ssh/x']],
  ['cat $HOME', ['~']],
  ["cat '$HOME/x'", ['$HOME/x']],
  ["cat 'a\"b'", ['a"b']],
  ['cat "${HOME}"/a', ['~/a']],
  ['cat $HOMEX/a', ['$HOMEX/a', '/a']],
  ['cat a$HOME/b', ['a$HOME/b', 'a/b']],
  ['cat $PWD/../a', ['./../a']],
  ['cat "${PWD}/a"', ['./a']],
  ['cat a$PWD', ['a$PWD', 'a']],
  ['cat $(pwd)/../a', ['./../a']],
  ['cat `pwd`', ['.']],
  ['cat $(pwd x)/a', ['x', '$(pwd x)/a', '/a']],
  ['cat $X', ['$X']],
  ['cat ${X:-/a}', ['${X', '-/a}', '${X:-/a}', '/a']],
  ['cat ${X:+/a}', ['${X', '+/a}', '${X:+/a}', '/a']],
  ['cat ${X/b//a}', ['${X/b//a}', '/a']],
  ['cat ${X:-.}env', ['${X', '-.}env', '${X:-.}env', 'env', '.env']],
  ['cat "${X:-$Y/a}"', ['${X', '-$Y/a}', '${X:-$Y/a}', '$Y/a', '/a']],
  ['cat "$(echo -n /a)"', ['$(echo -n /a)', '/a']],
  ['cat $(echo /a b)/c', ['$(echo /a b)/c', '/c', '/a b/c']],
  ['cat $(printf %s /a)', ['$(printf %s /a)', '%s /a']],
  ['cat $(true; echo /a)/b', ['$(true; echo /a)/b', '/b']],
  ['cat ${#X}/a', ['${#X}/a', '/a']],
  ["cat '.e'*", ['.e*!']],
  ['cat "/a"/*', ['/a/*!']],
  ['cat \\.e*', ['.e*!']],
  ["cat 'a*'*", ['a\\**!']],
  ['cat a["b"]', ['a*!']],
  ['cat $X/*.a', ['$X/*.a!', '/*.a!']],
] as const)('%s names %j', async (text, paths) => {
  const found = (await analyse(text)).commands.flatMap(pathsOfCommand);
  expect(found.map((one) => `${one.text}${one.pattern ? '!' : ''}${one.encoded === true ? '@' : ''}`)).toEqual(paths);
});

it.each([
  ['for x in a "b c"; do rm $x; done', ['a', 'b c', 'b', 'c']],
  ['for x in " d "; do rm $x; done', [' d ', 'd']],
  ['for x in *.a; do rm $x; done', ['*.a!']],
] as const)('%s hands on %j', async (text, paths) => {
  const found = (await analyse(text)).given.flatMap(pathsOfText);
  expect(found.map((one) => `${one.text}${one.pattern ? '!' : ''}`)).toEqual(paths);
});
