import { expect, test } from 'vitest';
import { moduleProfile } from '../../../../src/permission/shell/programs/python-modules.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

const written = (module: string, ...texts: readonly string[]) =>
  moduleProfile(module, texts.map(literalWord), 'python').writes?.map(({ word, deep }) => [word.text, deep]);

test.each(
  'timeit pdb code cProfile profile trace runpy http.server zipapp webbrowser pip ensurepip venv ipython IPython idlelib antigravity smtpd asyncio dis doctest lib2to3 compileall sqlite3 pickle pickletools gzip uu xmlrpc wsgiref test turtledemo lib2to3.pgen2 test.regrtest'.split(
    ' ',
  ),
)('python -m %s runs code', (module) => {
  expect(moduleProfile(module, [], 'python')).toEqual({ hazard: `python -m ${module} runs code or installs it` });
});
test.each(['tests', 'codex', 'platform', 'this'])('python -m %s is no module that is known to', (module) => {
  expect(moduleProfile(module, [], 'python')).toEqual({});
});

test.each('--indent=2 --sort-keys --no-ensure-ascii --json-lines --tab --compact --no-indent'.split(' '))(
  'json.tool %s writes its second operand',
  (option) => {
    expect(written('json.tool', option, 'a', 'b')).toEqual([['b', false]]);
    expect(written('json.tool', 'a', option, 'b')).toEqual([['b', false]]);
  },
);

test.each<[string, readonly (readonly [string, boolean])[]]>([
  ['-l a', []],
  ['--test=a', []],
  ['-v -l a', []],
  ['--verbose --list=a', []],
  ['-e a', [['.', true]]],
  ['-e a b', [['.', true]]],
  ['--filter=tar -e a b', [['.', true]]],
  ['--filter=data --filter=fully_trusted -e a b', [['.', true]]],
  ['--filter=data -e a b', [['b', true]]],
  ['--filter data -e a', [['.', true]]],
  ['--metadata-encoding=utf8 -l a', []],
  ['-c a b', [['a', false]]],
  ['--create=a b', [['a', false]]],
  ['--strange -l a', [['.', true]]],
])('tarfile %s writes %j', (text, files) => {
  expect(written('tarfile', ...text.split(' '))).toEqual(files);
});
