import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Json } from '#kernel';
import { openSession, type TestSession } from '../session.ts';

const read = (session: TestSession, file_path: string) => session.call('Read', { file_path });
const edit = (session: TestSession, file_path: string, old_string: string, new_string: string, more: object = {}) =>
  session.call('Edit', { file_path, old_string, new_string, ...more } as Json);

it('an empty file is filled by Write, and an edit of nothing says so', async () => {
  const session = await openSession({ f: '', g: 'x' });
  for (const [path, next] of [
    ['f', 'The file is empty: fill it with Write.'],
    ['g', 'Send the text that is to be replaced.'],
  ] as const) {
    await read(session, path);
    expect((await edit(session, path, '', 'a')).failure?.suggestedAction).toBe(next);
  }
});

it('what is said behind shown lines stands on a line of its own', async () => {
  const session = await openSession({ f: 'def f():\n    return 1\n' });
  await read(session, 'f');
  const edits = [
    { old_string: 'return 1', new_string: 'return 2' },
    { old_string: 'def g():', new_string: 'x' },
  ];
  const { output } = await session.call('Edit', { file_path: 'f', edits });
  expect(output).toContain('\n     1\tdef f():\nNothing was changed.\n');
  const patch = '*** Begin Patch\n*** Update File: f\n@@\n-def g():\n+x\n*** End Patch';
  const patched = await session.call('ApplyPatch', { patch });
  expect(patched.output).toContain('\n     1\tdef f():\nCopy the old lines exactly.\nNothing was changed.\n');
});

describe('bytes', () => {
  const big = Array.from({ length: 1000 }, (_, i) => `line ${i}\r\n`).join('');
  const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
  it.each<[string, string | Uint8Array, string, string, string | Uint8Array]>([
    ['LF text matches a CRLF file', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\nB', 'a\r\nB\r\nc\r\n'],
    ['new lines in a CRLF file are CRLF', 'a\r\nb\r\n', 'b', 'b\nc', 'a\r\nb\r\nc\r\n'],
    ['one word of 1,000 CRLF lines', big, 'line 500\r', 'word 500\r', big.replace('line 500', 'word 500')],
    ['CRLF text matches an LF file', 'a\nb\nc\n', 'a\r\nb', 'a\r\nB', 'a\nB\nc\n'],
    ['mixed line ends stay mixed', 'a\r\nb\nc\r\n', 'b', 'B', 'a\r\nB\nc\r\n'],
    ['a BOM stays', bytes('EF BB BF 78 3D 31 0A'), 'x=1', 'x=2', bytes('EF BB BF 78 3D 32 0A')],
    ['no line end at the end stays', 'a\nb', 'a', 'A', 'A\nb'],
    ['a line end at the end stays', 'a\nb\n', 'a', 'A', 'A\nb\n'],
    ['UTF-16LE stays', Buffer.from('\ufeffk=1\r\n', 'utf16le'), 'k=1', 'k=2', Buffer.from('\ufeffk=2\r\n', 'utf16le')],
    ['typographic quotes stay', 'say “hi” and ‘yo’\nx\n', 'x', 'y', 'say “hi” and ‘yo’\ny\n'],
    ['dollar signs are literal', 'A\n', 'A', "price $$5 $& $1 $' end", "price $$5 $& $1 $' end\n"],
    ['regular expressions are literal', 'a.c abc\n', 'a.c', 'x', 'x abc\n'],
    ['a tab taken from the shown text', 'all:\n\tmake x\n', '\tmake x', '\tmake y', 'all:\n\tmake y\n'],
    ['deleting', 'a\nb\nc\n', 'b\n', '', 'a\nc\n'],
  ])('%s', async (_name, before, oldText, newText, after) => {
    const session = await openSession({ f: before });
    await read(session, 'f');
    const outcome = await edit(session, 'f', oldText, newText);
    expect(outcome.status, outcome.output).toBe('succeeded');
    expect(session.file('f').toString('hex')).toBe(Buffer.from(after as string).toString('hex'));
  });

  it.each([
    ['Shift-JIS', '93FA967B0A613D310A', 'a=1', 'a=2', '93FA967B0A613D320A'],
    ['GBK', 'C4E3BAC30A783D310A', 'x=1', 'x=2', 'C4E3BAC30A783D320A'],
  ])('%s: only the edited byte changes, or nothing does', async (_name, before, oldText, newText, after) => {
    const session = await openSession({ f: bytes(before) });
    await read(session, 'f');
    const outcome = await edit(session, 'f', oldText, newText);
    const now = session.file('f').toString('hex').toUpperCase();
    expect(now).toBe(outcome.status === 'succeeded' ? after : before);
    expect(now).not.toContain('EFBFBD');
  });

  it('bytes far from the edit stay as they are', async () => {
    const tail = Buffer.from(`${'y'.repeat(70_000)}🎉\x1b[0m end`);
    const session = await openSession({ f: Buffer.concat([Buffer.from('first\n'), tail]) });
    await read(session, 'f');
    await edit(session, 'f', 'first', 'second');
    expect(session.file('f').subarray(-tail.length).equals(tail)).toBe(true);
  });
});

describe('finding the place', () => {
  it('refuses what is not there, and shows where it probably is', async () => {
    const session = await openSession({
      f: 'def slug(title):\n    words = title.split()\n    return "_".join(words)\n',
    });
    await read(session, 'f');
    const spaces = await edit(session, 'f', 'words  =  title.split()', 'x');
    expect(spaces.output).toContain('Line 2 differs in white space only');
    const near = await edit(session, 'f', '    return "-".join(word)', 'x');
    expect(near.output).toContain('     3\t    return "_".join(words)');
    const numbered = await edit(session, 'f', '     2\t    words = title.split()', 'x');
    expect(numbered.output).toContain('leave them out');
    expect(near.failure).toMatchObject({ kind: 'precondition', blame: 'model' });
    expect(session.file('f').toString()).toContain('"_"');
  });

  it('refuses several places with their lines, and replaces all with a count', async () => {
    const session = await openSession({ f: 'x\ny\nx\n' });
    await read(session, 'f');
    const several = await edit(session, 'f', 'x', 'z');
    expect(several.output).toContain('2 times in f, at lines 1, 3');
    const all = await edit(session, 'f', 'x', 'z', { replace_all: true });
    expect(all.output).toContain('at 2 places');
    expect(session.file('f').toString()).toBe('z\ny\nz\n');
  });

  it('overlapping places are several', async () => {
    const session = await openSession({ f: 'aXaXa' });
    await read(session, 'f');
    expect((await edit(session, 'f', 'aXa', 'b')).output).toContain('2 times');
  });

  it.each([
    ['an empty old text', '', 'x'],
    ['equal texts', 'abc', 'abc'],
  ])('%s changes nothing', async (_name, oldText, newText) => {
    const session = await openSession({ f: 'abc' });
    await read(session, 'f');
    for (const more of [{}, { replace_all: true }]) {
      expect((await edit(session, 'f', oldText, newText, more)).status).toBe('failed');
    }
    expect(session.file('f').toString()).toBe('abc');
  });
});

describe('knowing the content', () => {
  it('an edit of an unread file says: read it first', async () => {
    const session = await openSession({ f: 'a\n' });
    const outcome = await edit(session, 'f', 'a', 'b');
    expect(outcome.failure).toMatchObject({ kind: 'precondition', suggestedAction: 'Read f first, then edit it.' });
    expect(session.file('f').toString()).toBe('a\n');
  });

  it('a change by another program is noticed by content, not by time', async () => {
    const session = await openSession({ f: 'a=1\n' });
    await read(session, 'f');
    const { atime, mtime } = statSync(join(session.root, 'f'));
    session.put('f', 'a=2\n');
    utimesSync(join(session.root, 'f'), atime, mtime);
    const stale = await edit(session, 'f', 'a=', 'b=');
    expect(stale.failure).toMatchObject({ kind: 'stale' });
    expect(stale.output).toContain('Read f first');
    session.put('f', 'a=1\n');
    expect((await edit(session, 'f', 'a=', 'b=')).status).toBe('succeeded');
  });

  it('a change between the request and the write is refused', async () => {
    const session = await openSession({ f: 'a=1\n' });
    await read(session, 'f');
    const args = { file_path: 'f', old_string: 'a=1', new_string: 'a=3' };
    expect((await session.inspect('Edit', args)).ok).toBe(true);
    session.put('f', 'a=1\nb=2\n');
    expect((await session.call('Edit', args)).failure).toMatchObject({ kind: 'stale' });
    await read(session, 'f');
    const late = await session.call('Edit', args, { between: () => session.put('f', 'a=1\nc=2\n') });
    expect(late.failure).toMatchObject({ kind: 'stale' });
    expect(session.file('f').toString()).toBe('a=1\nc=2\n');
  });

  it('edits follow one another without reading again', async () => {
    const session = await openSession({ f: '1 2 3\n' });
    await read(session, 'f');
    for (const [from, to] of [
      ['1', 'I'],
      ['2', 'II'],
      ['3', 'III'],
    ] as const) {
      expect((await edit(session, 'f', from, to)).status).toBe('succeeded');
    }
    expect(session.file('f').toString()).toBe('I II III\n');
  });

  it('spellings of a path compare equal', async () => {
    const session = await openSession({ 'a.txt': '1 2 3\n', 'sub/x': '' });
    symlinkSync('a.txt', join(session.root, 'link'));
    await read(session, './a.txt');
    expect((await edit(session, 'sub/../a.txt', '1', 'I')).status).toBe('succeeded');
    const linked = await edit(session, 'link', '2', 'II');
    expect(linked.output).toContain('Edited a.txt');
    expect((await edit(session, join(session.root, 'a.txt'), '3', 'III')).status).toBe('succeeded');
    expect(session.file('a.txt').toString()).toBe('I II III\n');
    expect(lstatSync(join(session.root, 'link')).isSymbolicLink()).toBe(true);
  });
});

describe('effect', () => {
  it('tells the changed lines, the fingerprint and what was seen', async () => {
    const session = await openSession({ f: 'a\nb\nc\nd\ne\nf\n' });
    await read(session, 'f');
    const base = await session.workspace.files.hash('f');
    const outcome = await edit(session, 'f', 'c', 'C');
    expect(outcome.output).toBe('Edited f\n     1\ta\n     2\tb\n     3\tC\n     4\td\n     5\te');
    const result = await session.workspace.files.hash('f');
    expect(outcome.files).toEqual([{ path: 'f', base, result }]);
    expect(outcome.seen).toEqual([{ path: 'f', hash: result }]);
  });

  it('shows a diff to the person who decides, and binds to the content', async () => {
    const session = await openSession({ f: 'a\nb\n' });
    await read(session, 'f');
    const base = await session.workspace.files.hash('f');
    const inspection = await session.inspect('Edit', { file_path: 'f', old_string: 'b', new_string: 'B' });
    expect(inspection).toMatchObject({ ok: true, base: { files: [{ path: 'f', base }] } });
    expect(inspection.ok && inspection.preview).toContain('-b\n+B');
    expect(session.file('f').toString()).toBe('a\nb\n');
  });

  it('the diff shown is the change made', async () => {
    const session = await openSession({ f: 'a\r\nb\r\nc\r\n' });
    execFileSync('git', ['init', '-q'], { cwd: session.root });
    execFileSync('git', ['-c', 'core.autocrlf=false', 'add', 'f'], { cwd: session.root });
    await read(session, 'f');
    await edit(session, 'f', 'b', 'B');
    const stat = execFileSync('git', ['-c', 'core.autocrlf=false', 'diff', '--numstat'], { cwd: session.root });
    expect(stat.toString()).toBe('1\t1\tf\n');
  });

  it('keeps the mode and leaves no other file behind', async () => {
    const session = await openSession({ f: 'a\n' });
    chmodSync(join(session.root, 'f'), 0o755);
    await read(session, 'f');
    await edit(session, 'f', 'a', 'b');
    expect(statSync(join(session.root, 'f')).mode & 0o777).toBe(0o755);
    expect(readdirSync(session.root)).toEqual(['.belay-data', 'f']);
  });

  it('a hard link shows the change, or the result says that it was split', async () => {
    const session = await openSession({ a: 'x\n' });
    linkSync(join(session.root, 'a'), join(session.root, 'b'));
    await read(session, 'a');
    const outcome = await edit(session, 'a', 'x', 'y');
    const split = session.file('b').toString() === 'x\n';
    expect(split ? /link/i.test(outcome.output) : true).toBe(true);
  });

  it('refuses the git directory, also through a link', async () => {
    const session = await openSession({ 'work/a': 'x' });
    mkdirSync(join(session.root, '.git/hooks'), { recursive: true });
    writeFileSync(join(session.root, '.git/config'), '[core]\n');
    symlinkSync('.git', join(session.root, 'innocent'));
    for (const file_path of ['.git/config', 'innocent/config']) {
      await read(session, file_path);
      const outcome = await edit(session, file_path, '[core]', '[core]\nhooksPath = /tmp');
      expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'rejected' } });
    }
  });
});

describe('settling', () => {
  const args = { file_path: 'f', old_string: 'a', new_string: 'b' };
  const prepare = async () => {
    const session = await openSession({ f: 'a\n' });
    await read(session, 'f');
    const prepared = await session.tool('Edit').prepare(args, session.context('t1'));
    if (!prepared.ok) throw new Error(prepared.failure.message);
    return { session, attempt: prepared.attempt };
  };

  it('nothing started: it may run again', async () => {
    const { session, attempt } = await prepare();
    expect(await session.settle('Edit', args, attempt.base ?? null, 't1')).toMatchObject({ state: 'not-started' });
    expect((await attempt.run()).status).toBe('failed');
    expect(session.file('f').toString()).toBe('a\n');
  });
  it('applied: success after the fact', async () => {
    const { session, attempt } = await prepare();
    await attempt.run();
    const settled = await session.settle('Edit', args, attempt.base ?? null, 't1');
    const outcome = settled.state === 'settled' ? settled.outcome : null;
    expect(outcome).toMatchObject({ status: 'succeeded', provenance: 'reconciled' });
    expect(outcome?.seen?.[0]?.hash).toBe(await session.workspace.files.hash('f'));
  });
  it('applied and changed since: said so, and to be read again', async () => {
    const { session, attempt } = await prepare();
    await attempt.run();
    session.put('f', 'c\n');
    const settled = await session.settle('Edit', args, attempt.base ?? null, 't1');
    const outcome = settled.state === 'settled' ? settled.outcome : null;
    expect(outcome).toMatchObject({ status: 'succeeded', seen: [] });
    expect(outcome?.output).toContain('changed again since');
  });
  it('claimed and nothing written: to be run again; something else written: unknown', async () => {
    for (const [content, state, status] of [
      ['a\n', 'not-started', null],
      ['z\n', 'settled', 'unknown'],
    ] as const) {
      const { session, attempt } = await prepare();
      const folder = session.context('t1').execFolder;
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'claim'), `1 ${await session.workspace.processes.bootId()}\n`);
      session.put('f', content);
      const settled = await session.settle('Edit', args, attempt.base ?? null, 't1');
      expect(settled.state).toBe(state);
      expect(settled.state === 'settled' ? settled.outcome.status : null).toBe(status);
    }
  });
});
