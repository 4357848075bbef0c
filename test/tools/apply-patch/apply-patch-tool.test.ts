import { lstatSync, readdirSync, statSync, symlinkSync } from 'node:fs';
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
    ['too few counted', '--- a/a\n+++ b/a\n@@ -1 +1 @@\n one\n-two\n+2\n', '*** Begin Patch'],
    ['too many counted', '--- a/a\n+++ b/a\n@@ -1,9 +1,9 @@\n one\n-two\n+2\n', '*** Begin Patch'],
    ['no counts', '--- a/a\n+++ b/a\n@@\n one\n-two\n+2\n', '*** Begin Patch'],
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
