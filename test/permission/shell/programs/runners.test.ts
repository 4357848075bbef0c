import { expect, test } from 'vitest';
import { isRunner, runnerProfile } from '../../../../src/permission/shell/programs/runners.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

/** One row for each word of a text. */
const rows = (...tables: readonly (readonly [program: string, words: string])[]) =>
  tables.flatMap(([program, words]) => words.split(' ').map((word): [string, string] => [program, word]));
const profile = (program: string, word: string) => runnerProfile(program, [program, word, 'x'].map(literalWord));

const read = (text: string) => runnerProfile(text.split(' ')[0] ?? '', text.split(' ').map(literalWord));

test.each(
  rows(
    ['make', '-s -j4 --jobs=4 --max-load=2'],
    ['just', '-s -q -v -k -j4 --version --list -l'],
    ['mvn', '-q -v -e -U -B -o -N --version --batch-mode --quiet --offline'],
    ['ant', '-q -v -k -version -quiet -verbose'],
    ['ninja', '-v -n -k -j4 --version'],
  ),
)('%s %s runs the recipes as they are', (program, option) => {
  expect(profile(program, option)).toEqual({});
});

test.each([
  'make A=b',
  'make --eval=a',
  'just --set=a',
  'mvn -l',
  'mvn -s',
  'ant -lib',
  'ninja -C',
  'mvn exec:java',
  'just exec',
])('%s does more than run recipes', (text) => {
  expect(read(text)?.hazard).toBeDefined();
});

test.each(
  'npx pnpx bunx make gmake just rake gradle gradlew mvn ant ninja task turbo nx lerna invoke grunt gulp npm pnpm yarn'.split(
    ' ',
  ),
)('%s runs what the repository or a package says', (program) => {
  expect(isRunner(program)).toBe(true);
});
test.each(['cargo', 'go', 'git', 'constructor'])('%s does not', (program) => {
  expect(isRunner(program)).toBe(false);
});
