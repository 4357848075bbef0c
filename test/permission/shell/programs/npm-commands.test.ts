import { expect, test } from 'vitest';
import { npmHazard, npmPacks, npmRuns, npmStarts } from '../../../../src/permission/shell/programs/npm-commands.ts';

test.each(
  'bugs issues completion diff docs home doctor explain why fund help hlep help-search find-dupes ll la ls list outdated ping prefix query repo root sbom search find s se stars view info show v whoami run run-script rum urn test tst t start stop pack helpSearch outd'.split(
    ' ',
  ),
)('npm %s shows something or runs a script of the package', (word) => expect(npmHazard(word)).toBe(false));

test.each(
  'access adduser add-user login logout approve-scripts deny-scripts audit cache ci clean-install ic install-clean isntall-clean config c set get dedupe ddp deprecate undeprecate dist-tag dist-tags edit exec x explore init create innit install add i in ins inst insta instal isnt isnta isntal isntall install-ci-test cit clean-install-test sit install-scripts install-test it link ln org ogr owner author pkg profile prune publish rebuild rb restart shrinkwrap stage star unstar team token trust uninstall unlink remove rm r un unpublish update u up upgrade udpate version verison hook birthday set-script stop-all distTag exe re strange'.split(
    ' ',
  ),
)('npm %s may install, run or change something', (word) => expect(npmHazard(word)).toBe(true));

test.each<[string, boolean]>([
  ['run', true],
  ['run-script', true],
  ['rum', true],
  ['urn', true],
  ['test', false],
  ['trun', false],
])('whether npm %s takes the name of a script: %j', (word, runs) => expect(npmRuns(word)).toBe(runs));

test.each('exec x explore exe explo ex'.split(' '))('behind npm %s stands a command', (word) =>
  expect(npmStarts(word)).toBe(true),
);
test.each('run explain install xx'.split(' '))('behind npm %s stands none', (word) =>
  expect(npmStarts(word)).toBe(false),
);
test.each<[string, boolean]>([
  ['pack', true],
  ['pac', true],
  ['packs', false],
  ['run', false],
])('whether npm %s packs a package: %j', (word, packs) => expect(npmPacks(word)).toBe(packs));
