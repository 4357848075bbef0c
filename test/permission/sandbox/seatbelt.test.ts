/** The text of the profile only: it is for macOS, and no test here can run it. */
import { describe, expect, test } from 'vitest';
import type { SandboxPolicy } from '../../../src/permission/sandbox/policy.ts';
import { seatbeltProfile, seatbeltWords } from '../../../src/permission/sandbox/seatbelt.ts';

const policy: SandboxPolicy = {
  workspace: '/Users/me/work',
  network: false,
  forbidNested: false,
  scratch: '/Users/me/data/tmp',
  home: '/Users/me',
  hidden: ['/Users/me'],
  masked: ['/etc/master.passwd'],
  readable: ['/Users/me/.cargo'],
  writable: [],
  fixed: ['/Users/me/work/.git'],
  frozen: ['/Users/me/work/.git/hooks'],
  hiddenInside: [],
  maskedInside: ['/Users/me/work/.env'],
};

test('it begins with its version, and every bracket is closed', () => {
  const text = seatbeltProfile(policy);
  expect(text.startsWith('(version 1)\n')).toBe(true);
  const plain = text.replace(/"(\\.|[^"\\])*"/g, '""');
  expect([...plain].filter((char) => char === '(')).toHaveLength([...plain].filter((char) => char === ')').length);
});

test('the last rule that fits decides, so protection comes after permission', () => {
  const text = seatbeltProfile(policy);
  const order = [
    '(deny file-write*)',
    '(deny file-read* (subpath "/Users/me"))',
    '(allow file-read* (subpath "/Users/me/work")',
    '(allow file-write* (subpath "/Users/me/work")',
    '(deny file-write* (subpath "/Users/me/work/.git/hooks"))',
    '(deny file-read* file-write* (literal "/Users/me/work/.env"))',
  ].map((rule) => text.indexOf(rule));
  expect(order).not.toContain(-1);
  expect(order).toEqual([...order].sort((a, b) => a - b));
});

describe('network', () => {
  test('off: nothing but the loopback', () => {
    expect(seatbeltProfile(policy)).toContain('(deny network*)\n(allow network* (local ip "localhost:*")');
  });
  test('on: no rule about it', () => expect(seatbeltProfile({ ...policy, network: true })).not.toContain('network'));
});

test('a path with quotes and backslashes stays one word', () => {
  expect(seatbeltProfile({ ...policy, workspace: '/a"b\\c' })).toContain('(subpath "/a\\"b\\\\c")');
});

test('the profile is given as one word, and the folder for temporary files by its variable', () => {
  expect(seatbeltWords(policy)).toEqual({
    program: '/usr/bin/env',
    options: ['TMPDIR=/Users/me/data/tmp', '/usr/bin/sandbox-exec', '-p', seatbeltProfile(policy)],
    optionsFrom: null,
    headTo: null,
  });
});

test('every line, where the policy says much', () => {
  expect(
    seatbeltProfile({ ...policy, writable: ['/w'], hidden: ['/Users'], hiddenInside: ['/Users/me/work/data'] }),
  ).toBe(
    `(version 1)
(allow default)
(deny network*)
(allow network* (local ip "localhost:*") (remote ip "localhost:*"))
(deny file-write*)
(deny file-read* (subpath "/Users"))
(allow file-read* (subpath "/Users/me/work") (subpath "/w") (subpath "/Users/me/.cargo"))
(allow file-read-metadata (literal "/") (literal "/Users") (literal "/Users/me"))
(deny file-read* (literal "/etc/master.passwd"))
(allow file-write* (subpath "/Users/me/work") (subpath "/w") (subpath "/Users/me/data/tmp"))
(allow file-read* (subpath "/Users/me/data/tmp"))
(allow file-write* (literal "/dev/null") (literal "/dev/tty") (literal "/dev/stdout") (literal "/dev/stderr"))
(deny file-write-unlink (literal "/Users/me/work/.git") (literal "/Users/me/work/.git/hooks"))
(deny file-write* (subpath "/Users/me/work/.git/hooks"))
(deny file-read* file-write* (subpath "/Users/me/work/data"))
(deny file-read* file-write* (literal "/Users/me/work/.env"))
(deny process-info* (target others))
(deny signal (target others))
(allow signal (target same-sandbox))
`,
  );
});

test('every line, where it says nothing', () => {
  const none = { hidden: [], masked: [], readable: [], fixed: [], frozen: [], maskedInside: [] };
  const bare = { ...policy, ...none, workspace: '/w', network: true, scratch: null };
  expect(seatbeltProfile(bare)).toBe(
    `(version 1)
(allow default)
(deny file-write*)
(allow file-read* (subpath "/w"))
(allow file-read-metadata (literal "/"))
(allow file-write* (subpath "/w"))
(allow file-write* (literal "/dev/null") (literal "/dev/tty") (literal "/dev/stdout") (literal "/dev/stderr"))
(deny process-info* (target others))
(deny signal (target others))
(allow signal (target same-sandbox))
`,
  );
  expect(seatbeltWords(bare).options.slice(0, 2)).toEqual(['/usr/bin/sandbox-exec', '-p']);
});
