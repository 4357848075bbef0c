import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSession } from '../session.ts';

describe('Read', () => {
  it('shows numbered lines and records the content shown', async () => {
    const session = await openSession({ 'src/a.ts': 'one\n\ttwo\nthree' });
    const outcome = await session.call('Read', { file_path: 'src/a.ts' });
    expect(outcome.output).toBe('     1\tone\n     2\t\ttwo\n     3\tthree');
    expect(outcome.seen).toEqual([{ path: 'src/a.ts', hash: await session.workspace.files.hash('src/a.ts') }]);
  });

  it.each([['./src/../src/a.ts'], ['src//a.ts'], ['link.ts'], ['ABSOLUTE']])(
    'the spelling %s names the same file',
    async (spelling) => {
      const session = await openSession({ 'src/a.ts': 'x\n' });
      symlinkSync('src/a.ts', join(session.root, 'link.ts'));
      const file_path = spelling === 'ABSOLUTE' ? join(session.root, 'src/a.ts') : spelling;
      const outcome = await session.call('Read', { file_path });
      expect(outcome.seen?.map(({ path }) => path)).toEqual(['src/a.ts']);
    },
  );

  it('pages, and says how to go on', async () => {
    const session = await openSession({ a: Array.from({ length: 2500 }, (_, i) => `line ${i + 1}`).join('\n') });
    const first = await session.call('Read', { file_path: 'a' });
    expect(first.output).toContain('(lines 1-2000 of 2500; go on with offset 2001)');
    const rest = await session.call('Read', { file_path: 'a', offset: 2001 });
    expect(rest.output.split('\n').at(-1)).toBe('  2500\tline 2500');
    const part = await session.call('Read', { file_path: 'a', offset: 10, limit: 2 });
    expect(part.output).toBe('    10\tline 10\n    11\tline 11\n(lines 10-11 of 2500; go on with offset 12)');
    const behind = await session.call('Read', { file_path: 'a', offset: 2501 });
    expect(behind).toMatchObject({ status: 'failed', failure: { kind: 'precondition' } });
  });

  it.each([
    ['inside of a key', 4, 2, '     3\t-----BEGIN PRIVATE KEY-----\n     4\tMIIE\n     5\tabcd\n'],
    ['at the end of a key', 6, 1, '     3\t-----BEGIN PRIVATE KEY-----\n     4\tMIIE\n     5\tabcd\n     6\t'],
    ['at its beginning', 3, 1, '     3\t-----BEGIN PRIVATE KEY-----\n('],
    ['behind it', 7, 1, '     7\tafter\n('],
    ['before it', 2, 1, '     2\tb\n('],
  ])(
    'a part of a private key is shown from its first line, by which it is hidden: %s',
    async (_, offset, limit, text) => {
      const key = ['-----BEGIN PRIVATE KEY-----', 'MIIE', 'abcd', '-----END PRIVATE KEY-----'];
      const session = await openSession({ k: ['a', 'b', ...key, 'after', 'more'].join('\n') });
      const outcome = await session.call('Read', { file_path: 'k', offset, limit });
      expect(outcome.output.startsWith(text)).toBe(true);
    },
  );

  it('a line of 20 MB is cut and costs little', async () => {
    const session = await openSession({ a: `${'x'.repeat(15_000_000)}\nlast\n` });
    const outcome = await session.call('Read', { file_path: 'a' });
    expect(outcome.output.length).toBeLessThan(3000);
    expect(outcome.output).toContain('more characters');
    expect(outcome.output).toContain('     2\tlast');
  });

  it.each<[string, Uint8Array, string]>([
    ['PNG', Buffer.from('89504e470d0a1a0a0000000d', 'hex'), 'begins like a PNG image, but is not a whole one'],
    ['unknown', Buffer.from([1, 0, 2, 0, 3]), 'binary data'],
  ])('a binary file (%s) gets a usable answer', async (_name, bytes, text) => {
    const session = await openSession({ 'x.bin': bytes });
    const outcome = await session.call('Read', { file_path: 'x.bin' });
    expect(outcome.status).toBe('succeeded');
    expect(outcome.output).toContain(text);
    expect(outcome.output).toContain(`${bytes.length} bytes`);
    expect(outcome.seen).toBeUndefined();
  });

  it('an empty file says so', async () => {
    const session = await openSession({ a: '' });
    expect((await session.call('Read', { file_path: 'a' })).output).toBe('(the file is empty)');
  });
  it('line ends and encodings that edits keep are named', async () => {
    const session = await openSession({
      a: 'x\r\ny\r\n',
      b: Buffer.from('\ufeffk=1\r\n', 'utf16le'),
      c: Buffer.from('k=1\r\n', 'utf16le'),
    });
    const crlf = await session.call('Read', { file_path: 'a' });
    expect(crlf.output).toBe('     1\tx\n     2\ty\n(line ends: CRLF; edits keep them)');
    session.put('d', 'x\ry\r');
    const cr = await session.call('Read', { file_path: 'd' });
    expect(cr.output).toBe('     1\tx\n     2\ty\n(line ends: CR; edits keep them)');
    const utf16 = await session.call('Read', { file_path: 'b' });
    expect(utf16.output).toContain('     1\tk=1\n(encoding: utf-16le; edits keep it)');
    const bare = await session.call('Read', { file_path: 'c' });
    expect(bare.output).toContain('     1\tk=1\n(encoding: utf-16le without a byte order mark; edits keep it)');
  });

  it.each<[string, string, string, string]>([
    ['a missing file', 'src/tittle.ts', 'not_found', 'src/title.ts'],
    ['a link to nothing', 'nowhere', 'not_found', 'leads to "src/gone.ts"'],
    ['a name that is no UTF-8', 'x\ufffd.ts', 'not_found', 'Bash command'],
    ['a folder', 'src', 'precondition', 'src/title.ts'],
    ['the root', '.', 'precondition', 'Glob'],
    ['a path that climbs out', '../outside', 'rejected', 'inside the workspace'],
    ['an absolute path outside', '/etc/passwd', 'rejected', 'inside the workspace'],
    ['a link that leaves', 'out', 'rejected', 'inside the workspace'],
    ["Belay's own data", '.belay-data/exec', 'rejected', 'Leave it alone'],
  ])('%s is refused with a way on', async (_name, file_path, kind, next) => {
    const session = await openSession({ 'src/title.ts': 'x', 'src/README.md': 'y' });
    symlinkSync('src/gone.ts', join(session.root, 'nowhere'));
    symlinkSync('/etc/hostname', join(session.root, 'out'));
    const outcome = await session.call('Read', { file_path });
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind } });
    expect(outcome.output).toContain(next);
  });

  it('a PDF of letters only is handed over as a PDF', async () => {
    const session = await openSession({ 'a.txt': '%PDF-1.4\n%%EOF\n' });
    const outcome = await session.call('Read', { file_path: 'a.txt' });
    expect(outcome.output).toBe('a.txt is a PDF document, 15 bytes.');
    expect(outcome.attachments).toMatchObject([{ mediaType: 'application/pdf' }]);
    expect(outcome.seen).toHaveLength(1);
  });

  it('classifies by the path as it is written and as it really is', async () => {
    const session = await openSession({ b: '' });
    symlinkSync('b', join(session.root, 'link'));
    const paths = async (file_path: string) => (await session.tool('Read').classify({ file_path })).paths;
    expect(await paths('./a/../b')).toEqual(['b']);
    expect(await paths(join(session.root, 'b'))).toEqual(['b']);
    expect(await paths('./link')).toEqual(['link', 'b']);
    expect((await paths('../x'))?.[0]).toMatch(/^\//);
    expect((await session.tool('Read').classify({})).effect).toBe('read');
  });
});
