/** Files among other programs, links, modes and git: what the user has is still there after an edit. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { applyPatch } from 'diff';
import { describe, expect, test } from 'vitest';
import type { Json } from '#kernel';
import { openSession, type TestSession } from '../tools/session.ts';

const edit = (session: TestSession, file_path: string, old_string: string, new_string: string) =>
  session.call('Edit', { file_path, old_string, new_string });
const read = (session: TestSession, file_path: string) => session.call('Read', { file_path });
const at = (session: TestSession, name: string) => path.join(session.root, name);
function git(session: TestSession, ...args: string[]): string {
  const own = ['-c', 'core.autocrlf=false', '-c', 'user.name=x', '-c', 'user.email=x@localhost'];
  return execFileSync('git', [...own, ...args], { cwd: session.root }).toString();
}

describe('a file that others change', () => {
  test('B17: a byte changed with the time of before: refused by content, told to read again', async () => {
    const session = await openSession({ f: 'a=1\n' });
    await read(session, 'f');
    const { atime, mtime } = statSync(at(session, 'f'));
    session.put('f', 'a=2\n');
    utimesSync(at(session, 'f'), atime, mtime);
    const outcome = await edit(session, 'f', 'a=', 'b=');
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'stale' } });
    expect(outcome.output).toContain('Read f first');
    expect(session.file('f').toString()).toBe('a=2\n');
  });

  test.each<[string, (session: TestSession) => void]>([
    ['touched', (session) => utimesSync(at(session, 'f'), new Date(), new Date())],
    [
      'stashed and brought back',
      (session) => {
        git(session, 'stash', '-q');
        git(session, 'stash', 'pop', '-q');
      },
    ],
    ['written anew with the same content', (session) => session.put('f', 'a=2\n')],
  ])('B18: %s with the same content: not stale', async (_name, disturb) => {
    const session = await openSession({ f: 'a=1\n' });
    git(session, 'init', '-q');
    git(session, 'add', 'f');
    git(session, 'commit', '-q', '-m', 'as found');
    session.put('f', 'a=2\n');
    await read(session, 'f');
    disturb(session);
    expect((await edit(session, 'f', 'a=2', 'b=2')).status).toBe('succeeded');
  });

  test('B26: one file under three spellings in one message: no change is lost', async () => {
    const session = await openSession({ 'a.txt': '1 2 3\n', 'sub/x': '' });
    symlinkSync('a.txt', at(session, 'link'));
    await read(session, 'a.txt');
    const profile = async (file_path: string) => (await session.tool('Edit').classify({ file_path })).paths;
    for (const spelling of ['./a.txt', 'sub/../a.txt', 'link']) expect(await profile(spelling)).toContain('a.txt');
    const outcomes = await Promise.all([
      edit(session, './a.txt', '1', 'I'),
      edit(session, 'sub/../a.txt', '2', 'II'),
      edit(session, 'link', '3', 'III'),
    ]);
    // The runtime runs them one after another; even side by side one that would lose another's work is refused.
    const done = outcomes.filter(({ status }) => status === 'succeeded').length;
    expect(done).toBeGreaterThanOrEqual(1);
    const held = session.file('a.txt').toString();
    expect(['I', 'II', 'III'].filter((text) => held.trim().split(' ').includes(text))).toHaveLength(done);
  });
});

describe('what a file is besides its content', () => {
  test('B20: modes stay, in a folder with a set-group bit too, and git sees no change of mode', async () => {
    const session = await openSession({ 'd/f': 'a\n', 'd/g': 'a\n' });
    chmodSync(at(session, 'd'), 0o2775);
    chmodSync(at(session, 'd/f'), 0o755);
    chmodSync(at(session, 'd/g'), 0o600);
    git(session, 'init', '-q');
    git(session, 'add', 'd');
    for (const name of ['d/f', 'd/g']) {
      await read(session, name);
      await edit(session, name, 'a', 'b');
    }
    expect(statSync(at(session, 'd/f')).mode & 0o7777).toBe(0o755);
    expect(statSync(at(session, 'd/g')).mode & 0o7777).toBe(0o600);
    expect(statSync(at(session, 'd')).mode & 0o7777).toBe(0o2775);
    expect(git(session, 'diff')).not.toMatch(/^(old|new) mode/m);
  });

  test('B21: a link stays a link, its target is edited, and the result names it', async () => {
    const session = await openSession({ 'real.txt': 'a\n' });
    symlinkSync('real.txt', at(session, 'l'));
    await read(session, 'l');
    const outcome = await edit(session, 'l', 'a', 'b');
    expect(outcome.output).toContain('Edited real.txt');
    expect(readlinkSync(at(session, 'l'))).toBe('real.txt');
    expect(session.file('real.txt').toString()).toBe('b\n');
  });

  test('B22: a hard link that is split is told', async () => {
    const session = await openSession({ a: 'x\n' });
    linkSync(at(session, 'a'), at(session, 'b'));
    await read(session, 'a');
    const outcome = await edit(session, 'a', 'x', 'y');
    expect(outcome.output).toContain('hard links');
    expect(session.file('b').toString()).toBe('x\n');
  });
});

describe('whole files', () => {
  test('B28: a file that was never read is not overwritten', async () => {
    const session = await openSession({ f: 'line\n'.repeat(200) });
    const outcome = await session.call('Write', { file_path: 'f', content: 'short' });
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'precondition' } });
    expect(outcome.output).toContain('Read f first');
    expect(session.file('f').byteLength).toBe(1000);
  });

  test('B28: nor a binary one', async () => {
    const session = await openSession({ f: Buffer.from([1, 0, 2]) });
    expect((await session.call('Write', { file_path: 'f', content: 'short' })).status).toBe('failed');
    expect(session.file('f').byteLength).toBe(3);
  });
});

describe('what is told is what was done', () => {
  test('B38: of fifty edits each diff that was shown is what git finds, and gives the new content', async () => {
    const session = await openSession({ f: Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join('') });
    git(session, 'init', '-q');
    await read(session, 'f');
    for (let n = 0; n < 50; n++) {
      git(session, 'add', 'f');
      const before = session.file('f').toString();
      const line = `line ${(n * 7) % 60}\n`;
      const args = {
        file_path: 'f',
        old_string: before.includes(line) ? line : `changed ${n - 60}\n`,
        new_string: `changed ${n}\nand more\n`,
      };
      if (!before.includes(args.old_string)) continue;
      const inspection = await session.inspect('Edit', args);
      const shown = inspection.ok ? (inspection.preview ?? '') : '';
      expect((await session.call('Edit', args)).status).toBe('succeeded');
      expect(applyPatch(before, shown)).toBe(session.file('f').toString());
      const changes = (text: string) => text.split('\n').filter((one) => /^[-+](?![-+]{2} )/.test(one));
      expect(changes(shown)).toEqual(changes(git(session, 'diff', '-U3', 'f')));
    }
  });
});

describe('several edits of one file', () => {
  const edits = (session: TestSession, list: Json) => session.call('Edit', { file_path: 'f', edits: list });

  test('each sees what the one before left', async () => {
    const session = await openSession({ f: 'a\nb\nc\n' });
    await read(session, 'f');
    const outcome = await edits(session, [
      { old_string: 'a', new_string: 'x' },
      { old_string: 'x\nb', new_string: 'y' },
    ]);
    expect(outcome.output).toContain('Made 2 edits in f');
    expect(session.file('f').toString()).toBe('y\nc\n');
  });

  test('B27: one that does not fit keeps all from happening, and the corrected list is made once', async () => {
    const session = await openSession({ f: 'a\nb\nc\n' });
    await read(session, 'f');
    const good = [
      { old_string: 'a', new_string: 'a1' },
      { old_string: 'b', new_string: 'b1' },
    ];
    const bad = await edits(session, [...good, { old_string: 'zzz', new_string: 'c1' }]);
    expect(bad.output).toContain('edits[2].old_string was not found in f');
    expect(bad.output).toContain('Nothing was changed');
    expect(session.file('f').toString()).toBe('a\nb\nc\n');
    expect((await edits(session, [...good, { old_string: 'c', new_string: 'c1' }])).status).toBe('succeeded');
    expect(session.file('f').toString()).toBe('a1\nb1\nc1\n');
  });

  test.each<[string, Json, string]>([
    ['a new text that was cut off', { file_path: 'f', old_string: 'a' }, 'new_string is missing'],
    ['no edit at all', { file_path: 'f' }, 'old_string and new_string are missing'],
    ['an empty list', { file_path: 'f', edits: [] }, 'edits is empty'],
    [
      'both forms at once',
      { file_path: 'f', old_string: 'a', new_string: 'b', edits: [{ old_string: 'a', new_string: 'b' }] },
      'There are edits and',
    ],
    [
      'edits that take one another back',
      {
        file_path: 'f',
        edits: [
          { old_string: 'a', new_string: 'q' },
          { old_string: 'q', new_string: 'a' },
        ],
      },
      'leave f as it is',
    ],
  ])('B29: %s changes nothing', async (_name, args, text) => {
    const session = await openSession({ f: 'a\nb\nc\n' });
    await read(session, 'f');
    const outcome = await session.call('Edit', args);
    expect(outcome.output).toContain(text);
    expect(session.file('f').toString()).toBe('a\nb\nc\n');
  });
});

describe('patches of several files', () => {
  const files = { f1: 'a\nb\n', f2: 'c\nd\n', f3: 'e\nf\n' };
  const apply = (session: TestSession, ...lines: readonly string[]) =>
    session.call('ApplyPatch', { patch: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });
  const open = async () => {
    const session = await openSession(files);
    for (const name of Object.keys(files)) await read(session, name);
    return session;
  };

  test('B24: the right line number with the wrong context is refused', async () => {
    const session = await open();
    const patch = '--- a/f1\n+++ b/f1\n@@ -1,2 +1,2 @@\n-x\n+y\n b\n';
    const outcome = await session.call('ApplyPatch', { patch });
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'precondition' } });
    expect(session.file('f1').toString()).toBe('a\nb\n');
  });

  test('B25: where one of three does not fit, none is changed, and all faults are told', async () => {
    const session = await open();
    const outcome = await apply(
      session,
      ...['*** Update File: f1', '-a', '+A', '*** Update File: f2', '-x', '+X', '*** Update File: f3', '-e', '+E'],
    );
    expect(outcome.output).toContain('Part 1 for f2 does not fit');
    expect(outcome.output).toContain('2 other files of the patch would fit');
    expect(outcome.output).toContain('Nothing was changed');
    for (const [name, content] of Object.entries(files)) expect(session.file(name).toString()).toBe(content);
  });

  test('B25: a file that changes at the last moment takes the others back', async () => {
    const session = await open();
    const patch = ['*** Begin Patch', '*** Update File: f1', '-a', '+A', '*** Add File: n/new', '+x']
      .concat(['*** Delete File: f3', '*** Update File: f2', '-c', '+C', '*** End Patch'])
      .join('\n');
    const prepared = await session.tool('ApplyPatch').prepare({ patch }, session.context('late'));
    if (!prepared.ok) throw new Error(prepared.failure.message);
    session.put('f2', 'somebody else\n');
    const outcome = await prepared.attempt.run();
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'stale' } });
    expect(session.file('f1').toString()).toBe('a\nb\n');
    expect(session.file('f2').toString()).toBe('somebody else\n');
    expect(session.file('f3').toString()).toBe('e\nf\n');
    expect(lstatSync(at(session, 'n'), { throwIfNoEntry: false })).toBeUndefined();
    expect(readdirSync(session.root)).toEqual(['.belay-data', 'f1', 'f2', 'f3']);
  });

  test('all kinds at once: changed, added, moved with its mode, deleted; with their hashes', async () => {
    const session = await open();
    chmodSync(at(session, 'f2'), 0o755);
    const outcome = await apply(
      session,
      ...['*** Update File: f1', '@@', ' a', '-b', '+B', '*** Add File: sub/new', '+one', '+two'],
      ...['*** Update File: f2', '*** Move to: sub/moved', '-c', '+C', '*** Delete File: f3'],
    );
    expect(outcome.status, outcome.output).toBe('succeeded');
    expect(session.file('f1').toString()).toBe('a\nB\n');
    expect(session.file('sub/new').toString()).toBe('one\ntwo\n');
    expect(session.file('sub/moved').toString()).toBe('C\nd\n');
    expect(statSync(at(session, 'sub/moved')).mode & 0o777).toBe(0o755);
    for (const gone of ['f2', 'f3']) expect(lstatSync(at(session, gone), { throwIfNoEntry: false })).toBeUndefined();
    expect(outcome.files?.map((file) => file.path)).toEqual(['f1', 'sub/new', 'f2', 'sub/moved', 'f3']);
    for (const file of outcome.files ?? []) expect(await session.workspace.files.hash(file.path)).toBe(file.result);
    expect((await edit(session, 'sub/new', 'one', '1')).status).toBe('succeeded');
  });

  test.each<[string, readonly string[], string]>([
    ['a file that was not read', ['*** Update File: unread', '-x', '+y'], 'was not read'],
    ['a file that is not there', ['*** Update File: none', '-x', '+y'], 'There is no file "none"'],
    ['an addition where a file is', ['*** Add File: f1', '+x'], 'exists already'],
    ['a file outside', ['*** Add File: ../x', '+x'], 'outside'],
    ["git's own data", ['*** Add File: .git/hooks/x', '+x'], 'belongs to git'],
    ['one file twice', ['*** Update File: f1', '-a', '+A', '*** Update File: ./f1', '-b', '+B'], 'named twice'],
    ['a move onto a file', ['*** Update File: f1', '*** Move to: f2', '-a', '+A'], 'exists already'],
  ])('%s is refused', async (_name, lines, text) => {
    const session = await open();
    session.put('unread', 'x\n');
    const outcome = await apply(session, ...lines);
    expect(outcome.status).toBe('failed');
    expect(outcome.output).toContain(text);
    for (const [name, content] of Object.entries(files)) expect(session.file(name).toString()).toBe(content);
  });

  test('the diff that is shown before has every file', async () => {
    const session = await open();
    const patch =
      '*** Begin Patch\n*** Update File: f1\n-a\n+A\n*** Delete File: f2\n*** Add File: g\n+x\n*** End Patch';
    const inspection = await session.inspect('ApplyPatch', { patch });
    const preview = inspection.ok ? inspection.preview : '';
    expect(preview).toContain('--- a/f1\n+++ b/f1\n');
    expect(preview).toContain('--- a/f2\n+++ /dev/null\n');
    expect(preview).toContain('--- /dev/null\n+++ b/g\n');
  });

  describe('whose agent dies half-way', () => {
    const patch =
      '*** Begin Patch\n*** Update File: f1\n-a\n+A\n*** Add File: new\n+x\n*** Delete File: f3\n*** End Patch';
    /** The files as a dead agent left them, with the second names under which it kept what it displaced. */
    const dieAfter = async (steps: number) => {
      const session = await open();
      const context = session.context('dead');
      const prepared = await session.tool('ApplyPatch').prepare({ patch }, context);
      if (!prepared.ok) throw new Error(prepared.failure.message);
      mkdirSync(context.execFolder, { recursive: true });
      writeFileSync(path.join(context.execFolder, 'claim'), `1 ${context.bootId}\n`);
      const names = ['f1', 'new', 'f3'].map((name, i) => {
        const id = `000000000000000${i}`;
        return {
          target: at(session, name),
          fresh: at(session, `.belay-${id}.new`),
          kept: at(session, `.belay-${id}.old`),
        };
      });
      writeFileSync(path.join(context.execFolder, 'names'), names.map((one) => `${JSON.stringify(one)}\n`).join(''));
      const [first, second, third] = names as [(typeof names)[0], (typeof names)[0], (typeof names)[0]];
      linkSync(first.target, first.kept);
      linkSync(third.target, third.kept);
      writeFileSync(second.fresh, 'x\n');
      const put = [
        () => {
          writeFileSync(first.fresh, 'A\nb\n');
          execFileSync('mv', [first.fresh, first.target]);
        },
        () => linkSync(second.fresh, second.target),
        () => execFileSync('rm', [third.target]),
      ];
      for (const step of put.slice(0, steps)) step();
      const settled = await session.settle('ApplyPatch', { patch }, prepared.attempt.base ?? null, 'dead');
      return { session, settled };
    };

    test.each([0, 1, 2])('after %i of three files: taken back, and may run again', async (steps) => {
      const { session, settled } = await dieAfter(steps);
      expect(settled).toMatchObject({ state: 'not-started', settling: { verdict: 'not-applied' } });
      expect(session.file('f1').toString()).toBe('a\nb\n');
      expect(session.file('f3').toString()).toBe('e\nf\n');
      expect(lstatSync(at(session, 'new'), { throwIfNoEntry: false })).toBeUndefined();
      expect(execFileSync('ls', ['-A'], { cwd: session.root }).toString()).not.toContain('.belay-0');
      expect((await session.call('ApplyPatch', { patch }, { attemptId: 'again' })).status).toBe('succeeded');
    });

    test('after all three: applied, once', async () => {
      const { session, settled } = await dieAfter(3);
      expect(settled).toMatchObject({ state: 'settled', outcome: { status: 'succeeded' } });
      expect(readFileSync(at(session, 'f1'), 'utf8')).toBe('A\nb\n');
      expect(execFileSync('ls', ['-A'], { cwd: session.root }).toString()).toBe('.belay-data\nf1\nf2\nnew\n');
    });
  });
});
