import { expect, test } from 'vitest';
import { isRunner, runnerProfile } from '../../../../src/permission/shell/programs/runners.ts';
import { literalWord } from '../../../../src/permission/shell/shell-word.ts';

/** One row for each word of a text. */
const rows = (...tables: readonly (readonly [program: string, words: string])[]) =>
  tables.flatMap(([program, words]) => words.split(' ').map((word): [string, string] => [program, word]));
const profile = (program: string, word: string) => runnerProfile(program, [program, word, 'x'].map(literalWord));

test.each(
  rows(
    [
      'pnpm',
      'exec dlx create config publish link add install i update up remove rm env setup store patch deploy import rebuild prune init self-update',
    ],
    [
      'yarn',
      'exec dlx create config publish link add install upgrade remove global set plugin node patch init import up unlink policies rebuild',
    ],
    ['cargo', 'install run add remove publish fix login own'],
    ['go', 'run get install generate env mod work tool'],
    ['gh', 'api auth repo run workflow extension alias config release gist secret own'],
    ['dotnet', 'run add tool new nuget publish own.dll'],
  ),
)('%s %s runs other code', (program, word) => {
  expect(profile(program, word)?.hazard).toBe(`${program} ${word} installs or runs other code`);
});

test.each(
  rows(
    ['pnpm', 'list ls show check outdated -V -v --version help --help'],
    [
      'cargo',
      'build b check c test t bench clippy fmt doc d tree metadata version search help locate-project pkgid verify-project',
    ],
    ['go', 'build test vet list version doc fmt help'],
    ['gh', 'pr issue search status label version help project org ruleset'],
    ['dotnet', 'build test restore pack clean format sln msbuild vstest'],
    ['pip', 'list show freeze check help'],
  ),
)('%s %s is part of its own work', (program, word) => {
  expect(runnerProfile(program, [program, word].map(literalWord))).toEqual({});
});

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
  rows([
    'yarn',
    '-s -q -d -l -v -r -ws --silent --quiet --verbose --json --long --parseable --if-present --workspaces --recursive --ignore-scripts --offline --locked --frozen --release --no-color --a=b',
  ]),
)('%s %s takes no word away', (program, option) => {
  expect(read(`${program} ${option} build`)).toEqual({ pin: 3 });
});

test.each(['yarn -V', 'yarn -v', 'yarn --help', 'yarn --version', 'pnpm'])('%s only shows something', (text) => {
  expect(read(text)).toEqual({});
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
