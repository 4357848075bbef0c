import { describe, expect, test } from 'vitest';
import { awkProfile, patternProfile, sedProfile } from '../../../../src/permission/shell/programs/text-programs.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

const split = (text: string): readonly string[] => text.split(' ');
const wordsOf = (...texts: readonly string[]) => texts.map(literalWord);

describe('sed', () => {
  test.each(split('-n -E -r -z -s -u -nE -En -nr --quiet --silent --regexp-extended --posix --sandbox --debug'))(
    'reads on behind %s',
    (option) => {
      expect(sedProfile(wordsOf('sed', option, '1p', 'a'))).toEqual({ notPaths: [2] });
    },
  );
  test.each(split('-i -i.bak -ni -ri~ --in-place --in-place=.bak --expression=1p -f --file=a -l'))(
    'does not with %s',
    (option) => {
      expect(sedProfile(wordsOf('sed', option, '1p', 'a')).hazard).toContain(`sed ${option} edits files`);
    },
  );
});

test.each([
  'system("x")',
  '{ "x" | getline }',
  '{ getline < "x" }',
  '{ print > "x" }',
  '@load "x"',
  'BEGIN { print ENVIRON["x"] }',
  'BEGIN { ARGV[1] = "x" }',
  '{ close("x") }',
  '{ fflush() }',
  '{ nextfile }',
])('the awk program %s may do more than print', (program) => {
  expect(awkProfile(wordsOf('awk', program, 'a')).hazard).toContain('may run commands');
});

describe.each([
  [
    'grep',
    '-r -R -n -A3 -B3 -C3 -m3 --include=a --exclude=a --exclude-dir=a --color --color=auto --max-count=3 --line-number --recursive --ignore-case --count --files-with-matches --word-regexp --extended-regexp --fixed-strings',
    '-A -B -C -m',
    '-g -t --context=3 --strange',
  ],
  [
    'rg',
    '-n -A3 -B3 -C3 -m3 --glob=a --type=a --color=auto --max-count=3 --line-number --ignore-case --count --files-with-matches --fixed-strings --no-heading --hidden',
    '-A -B -C -m -g -t',
    '-r --context=3 --strange',
  ],
] as const)('%s', (program, flags, valued, strange) => {
  test.each(split(flags))('has its pattern behind %s', (option) => {
    expect(patternProfile(program, wordsOf(program, option, '/a', 'b'))).toEqual({ notPaths: [2] });
  });
  test.each(split(valued))('has its pattern behind the value of %s', (option) => {
    expect(patternProfile(program, wordsOf(program, option, '3', '/a', 'b'))).toEqual({ notPaths: [3] });
  });
  test.each(split(strange))('may have it anywhere behind %s', (option) => {
    expect(patternProfile(program, wordsOf(program, option, '/a', 'b'))).toEqual({});
  });
});
