import { expect, test } from 'vitest';
import { runnerProfile } from '../../../../src/permission/shell/programs/runners.ts';
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
