import { describe, expect, it } from 'vitest';
import { isSameCommand } from '../../../../src/permission/shell/programs/command-names.ts';

const packages = [
  'install i in ins inst insta instal isnt isnta isntal isntall add a',
  'uninstall unlink remove rm r un',
  'run run-script rum urn',
  'test t tst',
  'rebuild rb',
  'update up upgrade udpate u',
  'exec x dlx',
  'config c',
  'clean-install ci ic install-clean isntall-clean',
  'install-ci-test cit clean-install-test sit',
  'install-test it',
  'init create innit',
  'link ln',
  'version verison',
  'owner author',
  'dedupe ddp',
  'login adduser add-user',
  'dist-tag dist-tags',
  'unstar star',
  'view v info show',
  'search s se find',
  'list ls ll la',
  'deprecate undeprecate',
];
const groups: readonly (readonly [string, readonly string[]])[] = [
  ...['npm', 'pnpm', 'yarn', 'bun'].map((program) => [program, packages] as const),
  ['cargo', ['build b', 'check c', 'test t', 'run r', 'doc d', 'remove rm']],
  ...['docker', 'podman', 'nerdctl'].map((program) => [program, ['remove rm', 'list ls ps']] as const),
  ['helm', ['uninstall un delete del']],
  ['brew', ['uninstall remove rm']],
  ['dnf', ['remove erase rm', 'install in', 'upgrade update up']],
  ['yum', ['remove erase', 'upgrade update']],
  ['zypper', ['install in', 'remove rm', 'update up']],
  ['conda', ['uninstall remove']],
  ['gem', ['install i']],
  ['git', ['add stage', 'push send-pack']],
  [
    'svn',
    ['commit ci', 'delete del remove rm', 'update up', 'switch sw', 'checkout co', 'copy cp', 'move mv rename ren'],
  ],
  ['hg', ['commit ci', 'update up checkout co', 'remove rm', 'rename move mv', 'copy cp']],
];

describe.each(groups)('commands of %s', (program, lists) => {
  it.each(lists)('%s are one', (list) => {
    const names = list.split(' ');
    for (const one of names) for (const other of names) expect(isSameCommand(program, one, other), other).toBe(true);
    for (const other of lists.filter((each) => each !== list).flatMap((each) => each.split(' '))) {
      expect(isSameCommand(program, names[0] ?? '', other), other).toBe(false);
    }
  });
});

it.each<[string, string, string, boolean]>([
  ['make', 'install', 'install', true],
  ['make', 'install', 'i', false],
  ['constructor', 'install', 'i', false],
  // Beginnings, where the program takes them.
  ['npm', 'publish', 'publ', true],
  ['npm', 'publish', 'pu', true],
  ['npm', 'publish', 'p', false],
  ['npm', 'publish', 'publishing', false],
  ['npm', 'exec', 'ex', true],
  ['npm', 'run', 'run-s', true],
  ['npm', 'uninstall', 'unin', true],
  ['npm', 'init', 'in', false],
  ['hg', 'push', 'pus', true],
  ['gem', 'push', 'pus', true],
  ['composer', 'require', 'req', true],
  ['pnpm', 'publish', 'publ', false],
  ['composers', 'require', 'req', false],
  // npm takes capitals for dashes.
  ['npm', 'run', 'runScript', true],
  ['npm', 'dist-tag', 'distTags', true],
  ['pnpm', 'run', 'runScript', false],
])('to %s, %s and %s are one command: %s', (program, rule, word, same) => {
  expect(isSameCommand(program, rule, word)).toBe(same);
});
