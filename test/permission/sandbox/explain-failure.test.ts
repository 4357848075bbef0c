import { describe, expect, test } from 'vitest';
import { explainFailure } from '../../../src/permission/sandbox/explain-failure.ts';

describe('a failure that the sandbox may explain', () => {
  test.each<[string, string, RegExp]>([
    ['a write outside', "touch: cannot touch '/etc/x': Read-only file system", /writes only the workspace/],
    ['a write outside, of Node', 'Error: EROFS: read-only file system, open', /writes only the workspace/],
    ['a mount that stays', "mv: cannot move '.git' to 'x': Device or resource busy", /writes only the workspace/],
    ['a name that is not found', 'curl: (6) Could not resolve host: example.org', /no network/],
    ['a package that is not fetched', 'npm error code EAI_AGAIN', /no network/],
    ['a host that is not allowed', 'curl: (56) CONNECT tunnel failed, response 403', /no network but to hosts/],
    ['both', 'EROFS\nENOTFOUND', /no network .*and it writes/],
    ['the sandbox itself', "bwrap: Can't find source path /x", /could not be set up/],
  ])('%s', (_name, output, line) => expect(explainFailure(output, false)).toMatch(line));

  test.each([
    'error: .env: can only add regular files, symbolic links or git-directories',
    'error: conf/c: unsupported file type\nfatal: Unable to process path conf/c',
  ])('git on a file that may not be read: %s', (output) =>
    expect(explainFailure(output, true)).toBe(
      'In the sandbox a file that rules of the user keep from being read looks like a device, so git can neither add nor stash it: name the other files.',
    ),
  );
  test('git in a repository that borrows objects', () =>
    expect(
      explainFailure('error: unable to normalize alternate object path: /x/objects\nfatal: bad object HEAD', true),
    ).toBe(
      'This repository borrows objects from a folder that the sandbox does not show, so git fails in it; nothing is damaged. Call Bash with unsandboxed: true, or ask the user to name that folder in sandbox.readable of the settings.',
    ));
  const unchanged = (why: string) =>
    `error: unable to unlink old '.vscode/settings.json': ${why}\nSwitched to branch 'x'`;
  test.each([
    [true, unchanged('Read-only file system')],
    [false, unchanged('Read-only file system')],
    [false, `first\n${unchanged('Device or resource busy')}\nlast`],
  ])('git that left a file as it was, failed %s: %j', (failed, output) =>
    expect(explainFailure(output, false, failed)).toBe(
      'Git could not change files that the sandbox keeps as they are; where it went on, they are not as in the commit that is checked out now: do not commit them. To have them changed, call Bash with unsandboxed: true and git checkout HEAD -- FILE; the user is asked.',
    ),
  );
  test.each([
    [unchanged('Permission denied')],
    [`x ${unchanged('Read-only file system')}`],
    [unchanged('Read-only file system is what it says')],
    ['EROFS'],
    ['bwrap: x'],
  ])('what did not fail needs no reason: %j', (output) => expect(explainFailure(output, false, false)).toBeNull());
  test('says how to go on', () => expect(explainFailure('EROFS', false)).toContain('unsandboxed: true'));
  test('with network, a name that is not found is no matter of it', () =>
    expect(explainFailure('Could not resolve host: x', true)).toBeNull());
  test('a failing test is no matter of it', () => expect(explainFailure('1 failed, 3 passed', false)).toBeNull());

  const before = 'The command ran in a sandbox: ';
  const after = '. Where that is the reason and it must be done, call Bash with unsandboxed: true; the user is asked.';
  const noNetwork =
    'it has no network but to hosts that settings of the user name, not even to servers of other commands: start one and what talks to it in the same command';
  const noWrite = 'it writes only the workspace (without settings, hooks) and /tmp';
  test.each([
    ['EROFS', false, noWrite],
    ['EROFS', true, noWrite],
    ['ENOTFOUND', false, noNetwork],
    ['EROFS ENOTFOUND', false, `${noNetwork}, and ${noWrite}`],
    ['EROFS ENOTFOUND', true, noWrite],
  ])('%s, with network %s: says just that', (output, network, what) =>
    expect(explainFailure(output, network)).toBe(before + what + after),
  );
  test('what stands long before the end is no reason, and what stands long after the begin not from the sandbox', () => {
    const long = 'x\n'.repeat(10_000);
    expect(explainFailure(`EROFS\n${long}`, false)).toBeNull();
    expect(explainFailure(`${long}EROFS`, false)).toContain(noWrite);
    expect(explainFailure('x\nbwrap: no', false)).toContain(
      'begins with "bwrap:" is from the sandbox: if nothing else',
    );
    expect(explainFailure(`${long}bwrap: no`, false)).toBeNull();
    expect(explainFailure('a bwrap: no', false)).toBeNull();
  });
});
