import { describe, expect, test } from 'vitest';
import { bubblewrapWords } from '../../../src/permission/sandbox/bubblewrap.ts';
import type { SandboxPolicy } from '../../../src/permission/sandbox/policy.ts';

const bare: SandboxPolicy = {
  workspace: '/w',
  network: false,
  forbidNested: true,
  scratch: null,
  home: null,
  hidden: [],
  masked: [],
  readable: [],
  writable: [],
  fixed: [],
  frozen: [],
  hiddenInside: [],
  maskedInside: [],
};
const wordsOf = (more: Partial<SandboxPolicy> = {}): string =>
  bubblewrapWords({ ...bare, ...more }, '/usr/bin/bwrap', '/w/sub').options.join(' ');

describe('whatever the policy', () => {
  test.each([
    '--unshare-user --disable-userns --cap-drop ALL',
    '--unshare-pid --unshare-ipc --unshare-uts',
    '--unshare-net',
    '--ro-bind / / --dev /dev --proc /proc --remount-ro /proc',
    '--bind /w /w',
    '--setenv TMPDIR /tmp',
    '--chdir /w/sub',
  ])('%s', (words) => expect(wordsOf()).toContain(words));

  test('a command outlives its agent and its shell, and keeps the session of its wrapper', () => {
    expect(wordsOf()).not.toMatch(/--die-with-parent|--new-session|--share|--cap-add/);
  });

  test('the program is named as it was found', () => {
    expect(bubblewrapWords(bare, '/usr/bin/bwrap', '/w')).toMatchObject({
      program: '/usr/bin/bwrap',
      optionsFrom: '--args',
    });
  });
});

describe('what the policy says', () => {
  test.each<[string, Partial<SandboxPolicy>, string]>([
    ['a folder of its own for /tmp', { scratch: '/d/tmp' }, '--bind /d/tmp /tmp'],
    ['a hidden folder', { hidden: ['/run'] }, '--tmpfs /run'],
    ['the home exists', { hidden: ['/home'], home: '/home/me' }, '--dir /home/me'],
    ['a shown folder', { readable: ['/home/me/.cargo'] }, '--ro-bind-try /home/me/.cargo /home/me/.cargo'],
    ['a closed file', { masked: ['/etc/shadow'] }, '--ro-bind /dev/null /etc/shadow'],
    ['a writable folder', { writable: ['/x'] }, '--bind /x /x'],
    ['a fixed folder', { fixed: ['/w/.git'] }, '--bind-try /w/.git /w/.git'],
    ['a frozen folder', { frozen: ['/w/.git/hooks'] }, '--ro-bind-try /w/.git/hooks /w/.git/hooks'],
    ['a hidden folder inside', { hiddenInside: ['/w/data'] }, '--tmpfs /w/data'],
    ['a closed file inside', { maskedInside: ['/w/.env'] }, '--ro-bind /dev/null /w/.env'],
  ])('%s', (_name, policy, words) => expect(wordsOf(policy)).toContain(words));

  test.each<[string, Partial<SandboxPolicy>, string]>([
    ['network', { network: true }, '--unshare-net'],
    ['a bubblewrap that cannot forbid nested namespaces', { forbidNested: false }, '--disable-userns'],
  ])('%s leaves a word out', (_name, policy, word) => expect(wordsOf(policy)).not.toContain(word));
});

test('what counts later covers what came before', () => {
  const words = wordsOf({
    hidden: ['/home'],
    readable: ['/home/me/.cargo'],
    fixed: ['/w/.git'],
    frozen: ['/w/.git/hooks'],
    hiddenInside: ['/w/data'],
    maskedInside: ['/w/.env'],
  });
  const places = [
    '--ro-bind / /',
    '--tmpfs /home',
    '--ro-bind-try /home/me/.cargo',
    '--bind /w /w',
    '--bind-try /w/.git ',
    '--ro-bind-try /w/.git/hooks',
    '--tmpfs /w/data',
    '/w/.env',
  ].map((part) => words.indexOf(part));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('every word, where the policy says nothing', () => {
  expect(bubblewrapWords(bare, '/bwrap', '/w')).toEqual({
    program: '/bwrap',
    optionsFrom: '--args',
    headTo: '--info-fd',
    options: (
      '--unshare-user --disable-userns --cap-drop ALL --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try ' +
      '--unshare-net --ro-bind / / --dev /dev --proc /proc --remount-ro /proc --size 2147483648 --tmpfs /tmp --bind /w /w ' +
      '--setenv TMPDIR /tmp --unsetenv XDG_RUNTIME_DIR --chdir /w'
    ).split(' '),
  });
});

test('every word, where it says much', () => {
  const words = wordsOf({
    network: true,
    forbidNested: false,
    scratch: '/d/tmp',
    home: '/home/me',
    hidden: ['/home', '/run'],
    masked: ['/etc/shadow'],
    readable: ['/home/me/.cargo'],
    writable: ['/x'],
    fixed: ['/w/.git/objects', '/w/.git'],
    frozen: ['/w/.git/hooks'],
    hiddenInside: ['/w/data'],
    maskedInside: ['/w/.env'],
  });
  expect(words).toBe(
    '--unshare-user --cap-drop ALL --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try ' +
      '--ro-bind / / --dev /dev --proc /proc --remount-ro /proc --bind /d/tmp /tmp --size 2147483648 --tmpfs /home ' +
      '--size 2147483648 --tmpfs /run --dir /home/me --ro-bind-try /home/me/.cargo /home/me/.cargo ' +
      '--ro-bind /dev/null /etc/shadow --bind /w /w --bind /x /x --bind-try /w/.git /w/.git ' +
      '--bind-try /w/.git/objects /w/.git/objects --ro-bind-try /w/.git/hooks /w/.git/hooks ' +
      '--size 2147483648 --tmpfs /w/data --ro-bind /dev/null /w/.env ' +
      '--setenv TMPDIR /tmp --unsetenv XDG_RUNTIME_DIR --chdir /w/sub',
  );
});
