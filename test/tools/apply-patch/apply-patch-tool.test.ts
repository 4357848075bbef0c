import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSession, type TestSession } from '../session.ts';

const files = { a: 'one\ntwo\n', 'ä b': 'one\ntwo\n', empty: '' };
const edited = '@@ -1,2 +1,2 @@\n one\n-two\n+2\n';

async function open(): Promise<TestSession> {
  const session = await openSession(files);
  for (const file_path of Object.keys(files)) await session.call('Read', { file_path });
  return session;
}
const names = (session: TestSession) => readdirSync(session.root).filter((name) => name !== '.belay-data');

describe('heads of git are done or refused, never dropped', () => {
  it.each<[string, string, Readonly<Record<string, string | null>>]>([
    [
      'a rename alone',
      'diff --git a/a b/c\nsimilarity index 100%\nrename from a\nrename to c\n',
      { a: null, c: files.a },
    ],
    [
      'a move alone',
      '*** Begin Patch\n*** Update File: a\n*** Move to: sub/c\n*** End Patch',
      { a: null, 'sub/c': files.a },
    ],
    [
      'an empty new file beside another',
      `diff --git a/new b/new\nnew file mode 100644\nindex 000..111\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n${edited}`,
      { new: '', a: 'one\n2\n' },
    ],
    [
      'an empty file that goes, in a folder with a blank',
      'diff --git a/empty b/empty\ndeleted file mode 100644\nindex 111..000\ndiff --git a/x y/n b/x y/n\nnew file mode 100644\n',
      { empty: null, 'x y/n': '' },
    ],
    [
      'a name in quotes',
      `diff --git "a/\\303\\244 b" "b/\\303\\244 b"\n--- "a/\\303\\244 b"\n+++ "b/\\303\\244 b"\n${edited}`,
      { 'ä b': 'one\n2\n' },
    ],
    [
      'a move to its own name',
      `*** Begin Patch\n*** Update File: a\n*** Move to: a\n${edited}*** End Patch`,
      { a: 'one\n2\n' },
    ],
  ])('%s', async (_name, patch, expected) => {
    const session = await open();
    const outcome = await session.call('ApplyPatch', { patch });
    expect(outcome.status, outcome.output).toBe('succeeded');
    for (const [path, content] of Object.entries(expected)) {
      if (content === null) expect(lstatSync(join(session.root, path), { throwIfNoEntry: false })).toBeUndefined();
      else expect(session.file(path).toString()).toBe(content);
    }
  });

  it('a new program can be run', async () => {
    const session = await open();
    const patch = 'diff --git a/p b/p\nnew file mode 100755\n--- /dev/null\n+++ b/p\n@@ -0,0 +1 @@\n+#!/bin/sh\n';
    expect((await session.call('ApplyPatch', { patch })).status).toBe('succeeded');
    expect(statSync(join(session.root, 'p')).mode & 0o111).toBe(0o111);
  });

  it.each([
    ['a mode alone', 'diff --git a/a b/a\nold mode 100644\nnew mode 100755\n', 'chmod'],
    ['a mode with lines', `diff --git a/a b/a\nold mode 100644\nnew mode 100755\n--- a/a\n+++ b/a\n${edited}`, 'chmod'],
    ['a link', 'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+a\n', 'ln or rm'],
    ['a copy', 'diff --git a/a b/c\nsimilarity index 100%\ncopy from a\ncopy to c\n', 'cp in Bash'],
    ['bytes', 'diff --git a/a b/a\nGIT binary patch\nliteral 3\n', 'binary'],
    ['a difference of bytes', 'diff --git a/a b/a\nBinary files a/a and b/a differ\n', 'binary'],
    ['a head alone', 'diff --git a/a b/a\nindex 1..2\n', 'no change behind it'],
    ['old lines of a new file', '--- /dev/null\n+++ b/n\n@@ -1 +1 @@\n-x\n+y\n', 'has lines that are not'],
    ['no numbers', '--- a/a\n+++ b/a\n@@ one @@\n one\n-two\n+2\n', '*** Begin Patch'],
    ['an added file without signs', '*** Begin Patch\n*** Add File: n\nhello\n*** End Patch', 'begins with +'],
  ])('%s: the way to do it is named', async (_name, patch, way) => {
    const session = await open();
    const outcome = await session.call('ApplyPatch', { patch });
    expect(outcome.status).toBe('failed');
    expect(outcome.output).toContain(way);
    expect(names(session)).toEqual(['a', 'empty', 'ä b']);
    expect(session.file('a').toString()).toBe(files.a);
  });
});

it.each([
  ['deleted', '*** Begin Patch\n*** Delete File: link\n*** End Patch'],
  ['moved', '*** Begin Patch\n*** Update File: link\n*** Move to: c\n*** End Patch'],
  ['deleted by a diff', '--- a/link\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n'],
])('a link that is to be %s does not cost the file to which it leads', async (_name, patch) => {
  const session = await open();
  symlinkSync('a', join(session.root, 'link'));
  const outcome = await session.call('ApplyPatch', { patch });
  expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'precondition' } });
  expect(outcome.output).toContain('link is a link to a');
  expect(session.file('a').toString()).toBe(files.a);
  expect(lstatSync(join(session.root, 'link')).isSymbolicLink()).toBe(true);
});

it('a file in a folder that is a link is deleted as what it is', async () => {
  const session = await openSession({ 'real/f': 'x\n' });
  symlinkSync('real', join(session.root, 'way'));
  await session.call('Read', { file_path: 'way/f' });
  const outcome = await session.call('ApplyPatch', { patch: '*** Begin Patch\n*** Delete File: way/f\n*** End Patch' });
  expect(outcome.status, outcome.output).toBe('succeeded');
  expect(readdirSync(join(session.root, 'real'))).toEqual([]);
});

/** What git itself writes, for a change made by hand in a fresh repository. */
function gitPatch(...how: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'belay-mail-'));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], { cwd: root, encoding: 'utf8' });
  try {
    git('init', '-q');
    writeFileSync(join(root, 'a'), files.a);
    git('add', '.');
    git('commit', '-qm', 'first');
    writeFileSync(join(root, 'a'), 'one\n2\n');
    writeFileSync(join(root, 'n'), 'x\n\n');
    git('add', '.');
    git('commit', '-qm', 'Two is 2\n\nFirst words.\n\n--- a remark ---\n+++ another one');
    return git(...how);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

describe('what git puts around a diff is passed over', () => {
  it.each([
    ['a mail', ['format-patch', '-1', '--stdout']],
    ['a commit shown', ['show']],
    ['a log with how much changes', ['log', '-1', '-p', '--stat']],
    ['how much changes, then the diff', ['diff', 'HEAD~1', '--patch-with-stat']],
  ])('%s', async (_name, how) => {
    const session = await open();
    const outcome = await session.call('ApplyPatch', { patch: gitPatch(...how) });
    expect(outcome.status, outcome.output).toBe('succeeded');
    expect(session.file('a').toString()).toBe('one\n2\n');
    expect(session.file('n').toString()).toBe('x\n\n');
  });

  it('two mails, one behind the other', async () => {
    const session = await open();
    const patch = `${gitPatch('format-patch', '-1', '--stdout')}\n${gitPatch('format-patch', '-1', '--stdout')
      .replaceAll('a/a b/a', 'a/ä b b/ä b')
      .replaceAll('/a\n', '/ä b\n')
      .replace(/^diff --git a\/n[\s\S]*(?=^-- $)/m, '')}`;
    const outcome = await session.call('ApplyPatch', { patch });
    expect(outcome.status, outcome.output).toBe('succeeded');
    expect([session.file('a').toString(), session.file('ä b').toString()]).toEqual(['one\n2\n', 'one\n2\n']);
  });
});

describe('where counts are wrong, lines count', () => {
  const wrong = 'the @@ counts of part 1 did not fit its lines';
  it.each<[string, string, string, string]>([
    ['too few counted', '@@ -1 +1 @@\n one\n-two\n+2\n', 'one\n2\n', wrong],
    ['too many counted', '@@ -1,9 +1,9 @@\n one\n-two\n+2\n', 'one\n2\n', wrong],
    ['not counted', '@@\n one\n-two\n+2\n', 'one\n2\n', wrong],
    ['an ellipsis', '@@ ... @@\n one\n-two\n+2\n', 'one\n2\n', wrong],
    ['an empty line behind', '@@ -1,9 +1,9 @@\n one\n-two\n+2\n\n', 'one\n2\n', wrong],
    ['the second of two parts', '@@ -1,1 +1,1 @@\n-one\n+1\n@@ -2,3 +2,4 @@\n-two\n+2\n', '1\n2\n', 'counts of part 2'],
    ['the end of the file', '@@ -1,2 +1,2 @@\n-two\n+2\n\\ No newline at end of file\n', 'one\n2', wrong],
  ])('%s', async (_name, parts, expected, note) => {
    const session = await open();
    const outcome = await session.call('ApplyPatch', { patch: `--- a/a\n+++ b/a\n${parts}` });
    expect(outcome.status, outcome.output).toBe('succeeded');
    expect(session.file('a').toString()).toBe(expected);
    expect(outcome.output).toContain(note);
  });

  it('a miscounted part ends where the next file begins, and at the signature of a mail', async () => {
    const session = await open();
    const patch = `--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n one\n-two\n+2\n\n--- a/ä b\n+++ b/ä b\n@@ -1 +1 @@\n one\n-two\n+2\n-- \n2.39.5\n\n`;
    const outcome = await session.call('ApplyPatch', { patch });
    expect(outcome.status, outcome.output).toBe('succeeded');
    expect([session.file('a').toString(), session.file('ä b').toString()]).toEqual(['one\n2\n', 'one\n2\n']);
  });

  it('a new file has no empty lines but those with a sign', async () => {
    const session = await open();
    const patch = '--- /dev/null\n+++ b/n\n@@ -0,0 +1,9 @@\n+x\n+\n\n';
    const outcome = await session.call('ApplyPatch', { patch });
    expect(outcome.status, outcome.output).toBe('succeeded');
    expect(session.file('n').toString()).toBe('x\n\n');
  });

  it('a miscounted part that fits at several places is refused, whatever line it names', async () => {
    const session = await openSession({ twice: 'x\ny\nx\n' });
    await session.call('Read', { file_path: 'twice' });
    const outcome = await session.call('ApplyPatch', { patch: '--- a/twice\n+++ b/twice\n@@ -3,4 +3,4 @@\n-x\n+z\n' });
    expect(outcome).toMatchObject({ status: 'failed' });
    expect(outcome.output).toContain('Part 1 for twice fits at lines 1, 3; the counts of its head are wrong');
    expect(session.file('twice').toString()).toBe('x\ny\nx\n');
  });
});

it('a part whose lines stand above the part before it is told as that', async () => {
  const session = await openSession({ f: 'a\nb\nc\nb\nd\n' });
  await session.call('Read', { file_path: 'f' });
  const part = (old: string) => `@@\n-${old}\n+x`;
  const sections = (...parts: readonly string[]) =>
    `*** Begin Patch\n*** Update File: f\n${parts.join('\n')}\n*** End Patch`;
  for (const [old, said] of [
    ['a', 'Part 2 for f fits at line 1 only, above the part before it. Put the parts in the order'],
    ['b', 'Part 2 for f fits at lines 2, 4 only, above'],
    ['e', 'Part 2 for f does not fit: its old lines do not stand there'],
  ]) {
    const outcome = await session.call('ApplyPatch', { patch: sections(part('d'), part(old ?? '')) });
    expect(outcome.output).toContain(said);
    expect(session.file('f').toString()).toBe('a\nb\nc\nb\nd\n');
  }
});

it.each([
  ['a section', '*** Begin Patch\n*** Update File: f\n@@\n-a\n+x\n*** End of File\n*** End Patch'],
  ['a unified diff', '--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+x\n\\ No newline at end of file\n'],
])('a part that is marked as the end of the file and stands before it is told as that: %s', async (_name, patch) => {
  const session = await openSession({ f: 'a\nb\na\nb\n' });
  await session.call('Read', { file_path: 'f' });
  const { output } = await session.call('ApplyPatch', { patch });
  expect(output).toContain(
    'Part 1 for f is marked as the end of the file, and fits at lines 1, 3, which is before it.',
  );
  expect(output).toContain('Leave the mark out');
  expect(session.file('f').toString()).toBe('a\nb\na\nb\n');
});

describe('one name is a file or a folder', () => {
  const add = (path: string) => `*** Add File: ${path}\n+x`;
  const sections = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');
  it.each([
    [
      'two files of a patch',
      sections(add('q/a'), add('q/a/b')),
      'The patch has q/a as a file, and q/a/b needs a folder',
    ],
    [
      'the other way round',
      sections(add('q/a/b'), add('q/a')),
      'The patch has q/a as a file, and q/a/b needs a folder',
    ],
    [
      'a move',
      sections('*** Update File: a', '*** Move to: q', add('q/b')),
      'The patch has q as a file, and q/b needs a folder',
    ],
    [
      'a unified diff',
      `--- /dev/null\n+++ b/q\n@@ -0,0 +1 @@\n+x\n--- /dev/null\n+++ b/q/b\n@@ -0,0 +1 @@\n+x\n`,
      'q/b needs',
    ],
    ['a file that is there', sections(add('a/b')), 'a part of the path is a file, not a folder'],
    ['a file that goes', sections('*** Delete File: a', add('a/b')), 'a part of the path is a file, not a folder'],
    ['a folder that is there', sections(add('sub')), 'sub is a folder'],
    ['a folder whose only file goes', sections('*** Delete File: sub/c', add('sub')), 'sub is a folder'],
  ])('%s', async (_name, patch, said) => {
    const session = await openSession({ ...files, 'sub/c': 'x\n' });
    for (const file_path of ['a', 'sub/c']) await session.call('Read', { file_path });
    const before = names(session);
    const outcome = await session.call('ApplyPatch', { patch });
    expect(outcome.status).toBe('failed');
    expect(outcome.output).toContain(said);
    expect(outcome.output).toContain('othing was changed');
    expect(outcome.output).not.toContain('*** Update File');
    expect(names(session)).toEqual(before);
    expect(session.file('a').toString()).toBe(files.a);
  });
});
