import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSession } from '../session.ts';

describe('Write', () => {
  it('creates a file and its folders, without a BOM', async () => {
    const session = await openSession();
    const outcome = await session.call('Write', { file_path: 'a/b/c.txt', content: 'x\ny\n' });
    expect(outcome).toMatchObject({ status: 'succeeded', output: 'Created a/b/c.txt (2 lines).' });
    expect(session.file('a/b/c.txt').toString('hex')).toBe('780a790a');
    expect(outcome.files).toMatchObject([{ path: 'a/b/c.txt', base: null }]);
    expect(outcome.seen?.[0]?.path).toBe('a/b/c.txt');
  });

  it.each([
    ['a.txt ', 'begins or ends with a blank'],
    ['new/ a.txt', 'begins or ends with a blank'],
    ['a.txt\n', 'holds a line end'],
    ['a\r\nb', 'holds a line end'],
  ])('makes no file beside the one that is meant: %j', async (file_path, why) => {
    const session = await openSession({ 'a.txt': 'a\n', 'kept.txt ': 'k\n' });
    const outcome = await session.call('Write', { file_path, content: 'x\n' });
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'precondition' } });
    expect(outcome.output).toContain(why);
    const patch = `*** Begin Patch\n*** Add File: ${file_path}\n+x\n*** End Patch`;
    if (why.includes('blank')) await session.call('ApplyPatch', { patch });
    expect(readdirSync(session.root).toSorted()).toEqual(['.belay-data', 'a.txt', 'kept.txt ']);
    await session.call('Read', { file_path: 'kept.txt ' });
    expect(await session.call('Write', { file_path: 'kept.txt ', content: 'x\n' })).toMatchObject({
      status: 'succeeded',
    });
  });

  it('may go on with what it wrote', async () => {
    const session = await openSession();
    await session.call('Write', { file_path: 'a', content: 'x' });
    expect((await session.call('Write', { file_path: 'a', content: 'y' })).status).toBe('succeeded');
    expect((await session.call('Edit', { file_path: 'a', old_string: 'y', new_string: 'z' })).status).toBe('succeeded');
    expect(session.file('a').toString()).toBe('z');
  });

  it('replaces an existing file only when its present content was read', async () => {
    const session = await openSession({ a: 'old\n' });
    const unread = await session.call('Write', { file_path: 'a', content: 'new\n' });
    expect(unread.failure).toMatchObject({ kind: 'precondition', suggestedAction: 'Read a first, then edit it.' });
    await session.call('Read', { file_path: 'a' });
    session.put('a', 'other\n');
    expect((await session.call('Write', { file_path: 'a', content: 'new\n' })).failure?.kind).toBe('stale');
    await session.call('Read', { file_path: 'a' });
    expect((await session.call('Write', { file_path: 'a', content: 'new\n' })).status).toBe('succeeded');
  });

  it.each([
    ['x\ny\n', 'Replaced a (2 lines; before 3000 lines).'],
    ['y\n'.repeat(3000), 'Replaced a (3000 lines).'],
  ])('tells how many lines there were where that differs', async (content, output) => {
    const session = await openSession({ a: 'x\n'.repeat(3000) });
    await session.call('Read', { file_path: 'a', limit: 2 });
    expect((await session.call('Write', { file_path: 'a', content })).output).toBe(output);
  });

  it('a file that appears between the request and the write is not overwritten', async () => {
    const session = await openSession();
    const outcome = await session.call(
      'Write',
      { file_path: 'a', content: 'mine' },
      { between: () => session.put('a', 'theirs') },
    );
    expect(outcome.failure?.kind).toBe('stale');
    expect(session.file('a').toString()).toBe('theirs');
  });

  it.each<[string, string | Uint8Array, string, string | Uint8Array]>([
    ['CRLF line ends', 'a\r\nb\r\n', 'a\nc\n', 'a\r\nc\r\n'],
    ['CR line ends', 'a\rb\r', 'a\nc\n', 'a\rc\r'],
    ['a BOM', '\ufeffa\n', 'b\n', '\ufeffb\n'],
    ['a BOM that is sent too', '\ufeffa\n', '\ufeffb\n', '\ufeffb\n'],
    ['a guessed encoding', Buffer.from('caf\xe9 1\n', 'latin1'), 'caf\xe9 2\n', Buffer.from('caf\xe9 2\n', 'latin1')],
    ['UTF-16LE', Buffer.from('\ufeffa\n', 'utf16le'), 'b\n', Buffer.from('\ufeffb\n', 'utf16le')],
  ])('keeps %s of the file', async (_name, before, content, after) => {
    const session = await openSession({ a: before });
    await session.call('Read', { file_path: 'a' });
    await session.call('Write', { file_path: 'a', content });
    expect(session.file('a').equals(Buffer.from(after as string))).toBe(true);
  });

  it('a character that is new in a guessed encoding is not written by the guess', async () => {
    const before = Buffer.from('caf\xe9\n', 'latin1');
    const session = await openSession({ a: before });
    await session.call('Read', { file_path: 'a' });
    const outcome = await session.call('Write', { file_path: 'a', content: 'caf\xe9 \xfc\n' });
    expect(outcome.output).toMatch(/^a is neither Unicode nor surely .*\n.*a Bash command that names the encoding/);
    expect(session.file('a').equals(before)).toBe(true);
  });

  it('refuses to write what is there already', async () => {
    const session = await openSession({ a: 'x' });
    await session.call('Read', { file_path: 'a' });
    expect((await session.call('Write', { file_path: 'a', content: 'x' })).status).toBe('failed');
  });

  it.each(['new', 'a'])('half of a character is not written as another one (%s)', async (file_path) => {
    const session = await openSession({ a: 'x' });
    await session.call('Read', { file_path: 'a' });
    const outcome = await session.call('Write', { file_path, content: 'x\ud800' });
    expect(outcome.status).toBe('failed');
    expect(outcome.output).toContain('half of a character');
    expect(readdirSync(session.root)).toEqual(['.belay-data', 'a']);
  });

  it('a name that is too long leaves no folder behind', async () => {
    const session = await openSession();
    const outcome = await session.call('Write', { file_path: `new/folder/${'n'.repeat(300)}`, content: 'x' });
    expect(outcome.status).toBe('failed');
    expect(readdirSync(session.root)).toEqual(['.belay-data']);
  });

  it.each(['../out', '/tmp/out', 'leaving', 'leaving/x', '.git/hooks/pre-commit', '.belay-data/x', 'a\0b', 'folder'])(
    'refuses the path %j',
    async (file_path) => {
      const session = await openSession({ 'folder/x': 'y' });
      symlinkSync('/tmp', join(session.root, 'leaving'));
      const outcome = await session.call('Write', { file_path, content: 'x' });
      expect(outcome.status).toBe('failed');
      expect(outcome.failure?.suggestedAction).not.toBe('');
    },
  );
});
