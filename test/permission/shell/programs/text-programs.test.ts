import { describe, expect, test } from 'vitest';
import { profileOf } from '../../../../src/permission/shell/programs/profile-of.ts';
import {
  awkProfile,
  patternProfile,
  queryProfile,
  sedProfile,
} from '../../../../src/permission/shell/programs/text-programs.ts';
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

describe('jq and its kin', () => {
  const beyond = 'the jq filter may read other files or the environment';
  test.each([
    'import "a" as $d {search:"/tmp"}; $d',
    'import"a"as a;.',
    '# \\\n\ninclude "a"; .',
    '"a" | modulemeta',
    'get_search_list',
    'input_filename',
    '$__prog_args',
    'env.A',
    '$ENV.A',
    '.a|env',
    'envsubst',
    'strenv(A)',
    'load("/a")',
    'load_str("/a")',
    'eval("a")',
    'system("a")',
  ])('the filter %s may read more', (filter) => {
    expect(queryProfile('jq', wordsOf('jq', filter, 'a'))).toEqual({ hazard: beyond });
    expect(queryProfile('jq', wordsOf('jq', '--strange', 'a', filter))).toEqual({ hazard: beyond });
    expect(queryProfile('jq', wordsOf('jq', '.', filter))).toEqual({ notPaths: [1] });
  });
  test.each([
    '.',
    '.env',
    '.a.import',
    '.[] | {file:.a[0]}',
    '.a_env',
    'environment',
    'important',
    'envs',
    'loads',
    'a.load',
  ])('the filter %s does not, and is no path', (filter) => {
    expect(queryProfile('jq', wordsOf('jq', filter, 'a'))).toEqual({ notPaths: [1] });
  });
  test.each<[string, number | null]>([
    ['-nrRScCMeajPyY . a', 2],
    ['--null-input --raw-input --raw-output --raw-output0 --slurp --compact-output . a', 7],
    ['--color-output --monochrome-output --sort-keys --exit-status --ascii-output --join-output . a', 7],
    ['--tab --seq --stream --stream-errors --unbuffered --prettyPrint --yaml-input --yaml-output . a', 9],
    ['--indent=2 --output-format=json --input-format=xml -o=json -p=xml -I2 . a', 7],
    ['--arg x /y --argjson z /w --indent 2 . a', 9],
    ['e . a', 2],
    ['ea . a', 2],
    ['eval . a', 2],
    ['eval-all . a', 2],
    ['evaluate . a', 1],
    ['-o json . a', null],
    ['--expression . a', null],
    ['--constructor . a', null],
    ['-- . a', null],
    ['-n', null],
  ])('%s has its filter at %s', (text, at) => {
    expect(queryProfile('yq', wordsOf('yq', ...split(text)))).toEqual(at === null ? {} : { notPaths: [at] });
  });
  test.each<[string, string]>([
    ['jq', '-f -nf -L -Lx --from-file --rawfile --slurpfile --argfile --library-path --from'],
    ['gojq', '-f -L --from-file --rawfile --slurpfile --library-path'],
    ['jaq', '-f -L -i --from-file --in-place --rawfile'],
    ['yq', '-i -s -f -L --inplace --in-place --split-exp --split-exp-file --from-file'],
    ['xq', '-i -f -L --in-place'],
    ['tomlq', '-i -f -L --in-place'],
  ])('%s asks with %s', (program, options) => {
    for (const option of split(options)) {
      expect(profileOf(wordsOf(program, '.', option, 'a')).hazard).toBe(
        `${program} ${option} reads a file of its own choice, or writes one`,
      );
    }
    expect(profileOf(wordsOf(program, '/a', 'b'))).toEqual({ notPaths: [1] });
    expect(profileOf(wordsOf(program, '--in', '--raw', '--arg')).hazard).toBeUndefined();
  });
});
