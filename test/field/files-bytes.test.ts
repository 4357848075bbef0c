/** Edits by their bytes: what was not meant stays as it is, whatever the file is encoded in. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Json } from '#kernel';
import { openSession, type TestSession } from '../tools/session.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const utf32 = (text: string) =>
  Buffer.concat([...`\ufeff${text}`].map((one) => Buffer.from(new Uint32Array([one.codePointAt(0) ?? 0]).buffer)));

async function edited(before: string | Uint8Array, old_string: string, new_string: string, more: object = {}) {
  const session = await openSession({ f: before });
  await session.call('Read', { file_path: 'f' });
  const outcome = await session.call('Edit', { file_path: 'f', old_string, new_string, ...more } as Json);
  return { session, outcome, now: session.file('f') };
}

const crlf = Array.from({ length: 1000 }, (_, i) => `line ${i}\r\n`).join('');
const longTail = Buffer.from(`${'x'.repeat(70_000)} 🎉 \x1b[0m end\n`);

describe('an edit changes its own bytes and no other', () => {
  test.each<[string, string | Uint8Array, string, string, string | Uint8Array]>([
    ['B01: LF in the call, CRLF in the file', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\nB', 'a\r\nB\r\nc\r\n'],
    ['B02: one word of 1,000 CRLF lines', crlf, 'line 500\r', 'word 500\r', crlf.replace('line 500', 'word 500')],
    ['B03: mixed line ends', 'a\r\nb\nc\r\nd\n', 'b', 'B', 'a\r\nB\nc\r\nd\n'],
    ['B03: an edit over mixed line ends', 'a\r\nb\nc\r\nd\n', 'a\nb\nc', 'a\nB\nc', 'a\r\nB\nc\r\nd\n'],
    ['B03: a line more among mixed ones', 'a\r\nb\nc\r\nd\n', 'a\nb\nc', 'a\nb\nnew\nc', 'a\r\nb\nnew\nc\r\nd\n'],
    ['B03: a line less among mixed ones', 'a\r\nb\nc\r\nd\n', 'a\nb\n', 'a\n', 'a\r\nc\r\nd\n'],
    ['B44: CR alone in the file', 'a\rb\rc\r', 'a\nb', 'a\nB\nnew', 'a\rB\rnew\rc\r'],
    ['B44: CR alone, one line becomes two', 'a\rb\rc', 'b', 'B\nB', 'a\rB\rB\rc'],
    ['B44: CR alone, written as it is', 'a\rb\rc', 'a\rb', 'A\rB', 'A\rB\rc'],
    [
      'B44: CR alone in a large file',
      `x\r${'y\r'.repeat(700_000)}`,
      'x\ny',
      'X\nz\ny',
      `X\rz\r${'y\r'.repeat(700_000)}`,
    ],
    [
      'B44: CR alone only near the place',
      `x\r${'y\r'.repeat(700_000)}end\n`,
      'x',
      'X\nz',
      `X\nz\r${'y\r'.repeat(700_000)}end\n`,
    ],
    ['B04: a byte order mark', hex('EF BB BF 78 3D 31 0A'), 'x=1', 'x=2', hex('EF BB BF 78 3D 32 0A')],
    ['B08: UTF-16LE', utf16('k=1\r\n'), 'k=1', 'k=2', utf16('k=2\r\n')],
    ['B08: UTF-16BE', utf16('k=1\r\né').swap16(), 'k=1', 'k=2', utf16('k=2\r\né').swap16()],
    ['B08: UTF-16LE without a mark', utf16('k=1\r\n').subarray(2), 'k=1', 'k=2', utf16('k=2\r\n').subarray(2)],
    [
      'B08: UTF-16BE without a mark',
      utf16('k=1\r\né').swap16().subarray(2),
      'k=1',
      'k=“2”',
      utf16('k=“2”\r\né').swap16().subarray(2),
    ],
    ['B08: UTF-32LE', utf32('k=1\r\n🎉'), 'k=1', 'k=2', utf32('k=2\r\n🎉')],
    ['B08: UTF-32BE', utf32('k=1\n').swap32(), 'k=1', 'k=2', utf32('k=2\n').swap32()],
    [
      'B09: 70 KB of ASCII, then an emoji and escapes',
      Buffer.concat([Buffer.from('first\n'), longTail]),
      'first',
      'second',
      Buffer.concat([Buffer.from('second\n'), longTail]),
    ],
    ['B10: curly quotes', 'say “hi” and ‘yo’\nx\n', 'x', 'y', 'say “hi” and ‘yo’\ny\n'],
    ['B12: dollar signs', 'A\n', 'A', "price $$5 $& $1 $' end", "price $$5 $& $1 $' end\n"],
    ['B19: a tab', 'all:\n\tmake x\n', '\tmake x', '\tmake y', 'all:\n\tmake y\n'],
    ['B23: no line end at the end', 'a\nb', 'a', 'A', 'A\nb'],
    ['B23: a line end at the end', 'a\nb\n', 'a', 'A', 'A\nb\n'],
    ['Latin-1: ASCII beside it', hex('E9 74 E9 0A 78 3D 31 0A'), 'x=1', 'x=2', hex('E9 74 E9 0A 78 3D 32 0A')],
    ['a broken UTF-8 file', hex('C3A9 FF 0A 78 3D 31 0A'), 'x=1', 'x=2', hex('C3A9 FF 0A 78 3D 32 0A')],
  ])('%s', async (_name, before, old, fresh, after) => {
    const { outcome, now } = await edited(before, old, fresh);
    expect(outcome.status, outcome.output).toBe('succeeded');
    expect(now.toString('hex')).toBe(Buffer.from(after as string).toString('hex'));
  });

  test('B02: git counts one line', async () => {
    const session = await openSession({ f: crlf });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'core.autocrlf=false', ...args], { cwd: session.root }).toString();
    git('init', '-q');
    git('add', 'f');
    await session.call('Read', { file_path: 'f' });
    await session.call('Edit', { file_path: 'f', old_string: 'line 500\n', new_string: 'word 500\n' });
    expect(git('diff', '--numstat')).toBe('1\t1\tf\n');
  });
});

describe('encodings that are only likely', () => {
  const sjis = hex('93 FA 96 7B 0A 61 3D 31 0A');
  const gbk = hex('C4 E3 BA C3 0A 78 3D 31 0A');

  test.each([
    ['B06: Shift-JIS', sjis, 'a=1', 'a=2', '93FA967B0A613D320A'],
    ['B07: GBK', gbk, 'x=1', 'x=2', 'C4E3BAC30A783D320A'],
    [
      'B07: a longer GBK file',
      Buffer.concat([hex('CFC2C3E6CAC7D6D0CEC4D7A2CACDA3ACD3C3C0B4B2E2CAD4'), Buffer.from('\nx=1\n')]),
      'x=1',
      'x=2',
      'CFC2C3E6CAC7D6D0CEC4D7A2CACDA3ACD3C3C0B4B2E2CAD40A783D320A',
    ],
  ])('%s: an ASCII edit changes one byte', async (_name, before, old, fresh, after) => {
    const { outcome, now } = await edited(before, old, fresh);
    expect(outcome.status, outcome.output).toBe('succeeded');
    expect(now.toString('hex').toUpperCase()).toBe(after);
  });

  test.each([
    ['B06: Shift-JIS by its Unicode text', sjis, '日本', '東京'],
    ['B07: GBK by its Unicode text', gbk, '你好', '再见'],
    ['B07: a new character where the encoding is a guess', gbk, 'x=1', 'x=é'],
  ])('%s: done in the encoding of the file, or refused', async (_name, before, old, fresh) => {
    const { outcome, now } = await edited(before, old, fresh);
    if (outcome.status === 'succeeded') expect(now.byteLength).toBe(before.byteLength);
    else expect(now.equals(before)).toBe(true);
    expect(now.includes(hex('EF BF BD'))).toBe(false);
  });

  test.each([
    ['Shift-JIS', hex('93 FA 96 7B 0A 61 3D 31 0A'), '日本', '東京', '938C8B9E0A613D310A'],
    ['GBK', hex('C4 E3 BA C3 0A 78 3D 31 0A'), '你好', '再见', 'D4D9BCFB0A783D310A'],
    ['EUC-JP', hex('C6 FC CB DC 0A 61 3D 31 0A'), '日本', '東京', 'C5ECB5FE0A613D310A'],
    ['EUC-KR', hex('C7 D1 B1 DB 0A 61 3D 31 0A'), '한글', '글한', 'B1DBC7D10A613D310A'],
    ['a part of a word in Shift-JIS', hex('93 FA 96 7B 8C EA 0A'), '本語', '語', '93FA8CEA0A'],
  ])('B45: %s by its own text, however short', async (_name, before, old, fresh, after) => {
    const { outcome, now } = await edited(before, old, fresh);
    expect(outcome.status, outcome.output).toBe('succeeded');
    expect(now.toString('hex').toUpperCase()).toBe(after);
  });

  test.each([
    ['in none', hex('93 FA 96 7B 0A 61 3D 31 0A'), '東京', 'is neither Unicode nor surely'],
    ['also without a word of it', hex('93 FA 96 7B 0A 61 3D 31 0A'), '日本語', 'names the encoding'],
  ])('B45: a text that is there %s is told with what is not sure', async (_name, before, old, text) => {
    const { outcome, now } = await edited(before, old, 'x');
    expect(outcome.output).toContain(text);
    expect(now.equals(before)).toBe(true);
  });

  test('B06: what may be the second half of a character is not changed', async () => {
    // 83 41 is one character in Shift-JIS; in a guessed Latin encoding its second half looks like the letter A.
    const before = Buffer.concat([hex('83 41 0A'), Buffer.from('x=1\n')]);
    const { outcome, now } = await edited(before, 'A', 'B');
    expect(outcome.status).toBe('failed');
    expect(now.equals(before)).toBe(true);
  });
});

describe('what is not found is not changed', () => {
  test('B11: straight quotes for curly ones: refused, with the nearest text', async () => {
    const before = 'say “hi” and ‘yo’\nx\n';
    const { outcome, now } = await edited(before, 'say "hi" and', 'say "ho" and');
    expect(outcome.status).toBe('failed');
    expect(outcome.output).toContain('     1\tsay “hi” and ‘yo’');
    expect(now.toString()).toBe(before);
  });

  test('B13: an empty old text, with and without replace_all', async () => {
    for (const more of [{}, { replace_all: true }]) {
      const { outcome, now } = await edited('abc', '', 'X', more);
      expect(outcome.output).toContain('is empty');
      expect(now.toString()).toBe('abc');
    }
  });

  test('B14: two places are named by line; replace_all changes and counts them', async () => {
    const { outcome, session } = await edited('x\nx\n', 'x', 'y');
    expect(outcome.output).toContain('occurs 2 times in f, at lines 1, 2');
    expect(session.file('f').toString()).toBe('x\nx\n');
    const all = await edited('x\nx\n', 'x', 'y', { replace_all: true });
    expect(all.outcome.output).toContain('at 2 places');
    expect(all.now.toString()).toBe('y\ny\n');
  });

  test('B14: places that differ in their line ends look alike, so they are several', async () => {
    const { outcome, now } = await edited('a\r\nb\r\n--\na\nb\n', 'a\nb\n', 'c\n');
    expect(outcome.output).toContain('at lines 1, 4');
    expect(now.toString()).toBe('a\r\nb\r\n--\na\nb\n');
  });

  test('B15: nothing found is told as a failure, and nothing says edited', async () => {
    const { outcome, now } = await edited('abc\n', 'zzz', 'y');
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'precondition' } });
    expect(outcome.output).not.toMatch(/edited/i);
    expect(outcome.files).toBeUndefined();
    expect(now.toString()).toBe('abc\n');
  });

  test('B16: a text that is nearly there is not applied somewhere else', async () => {
    const before = Array.from({ length: 9 }, (_, i) => `block {\n  beta(${i + 1})\n}\n`).join('');
    const { outcome, now } = await edited(before, 'block {\n   beta(9)\n}', 'gone');
    expect(outcome.status).toBe('failed');
    expect(outcome.output).toContain('Line 25 differs in white space only');
    expect(now.toString()).toBe(before);
  });
});

describe('texts are written as they are sent', () => {
  const write = async (content: string) => {
    const session = await openSession();
    const outcome = await session.call('Write', { file_path: 'f', content });
    return { outcome, bytes: session.file('f') };
  };
  const sum = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

  test.each([
    ['B32: HTML entities', 'a &amp;&amp; b &apos;c&apos;'],
    ['B33: what looks like line numbers', '1 | a\n2 | b\n'],
    ['B30: 70,000 bytes', 'x'.repeat(70_000)],
    ['B30: a million bytes with longer characters', 'é漢🎉x'.repeat(100_000)],
    ['B05: a new file gets no mark', 'x\n'],
  ])('%s', async (_name, content) => {
    const { outcome, bytes } = await write(content);
    expect(outcome.status).toBe('succeeded');
    expect(sum(bytes)).toBe(sum(Buffer.from(content)));
  });

  test('B32: in a shell too', async () => {
    const session = await openSession();
    expect((await session.call('Bash', { command: "echo '&lt;'" })).output).toContain('&lt;');
  });

  test('B05: the mark of a file is not part of what is shown', async () => {
    const session = await openSession({ f: hex('EF BB BF 78 3D 31 0A') });
    const outcome = await session.call('Read', { file_path: 'f' });
    expect(outcome.output).toContain('x=1');
    expect(outcome.output).not.toContain('\ufeff');
  });
});

describe('a file of 20 MB on one line', () => {
  const big = `${'abcdefghij'.repeat(1_000_000)}needle${'0123456789'.repeat(1_000_000)}`;
  const open = async (): Promise<TestSession> => {
    const session = await openSession({ f: big });
    expect((await session.call('Read', { file_path: 'f' })).output.length).toBeLessThan(3000);
    return session;
  };

  test('is edited, and the diff and the report stay short', async () => {
    const session = await open();
    const args = { file_path: 'f', old_string: 'needle', new_string: 'thread' };
    const inspection = await session.inspect('Edit', args);
    expect(inspection.ok && inspection.preview).toMatch(
      /^--- a\/f\n\+\+\+ b\/f\n@@ line 1, around character 10000001 @@\n-.*needle.*\n\+.*thread.*\n$/,
    );
    const outcome = await session.call('Edit', args);
    expect(outcome.status).toBe('succeeded');
    expect(outcome.output).toContain('thread');
    expect(outcome.output.length).toBeLessThan(500);
    expect(session.file('f').equals(Buffer.from(big.replace('needle', 'thread')))).toBe(true);
  });

  test('a miss is told in time and shows where', async () => {
    const session = await open();
    const outcome = await session.call('Edit', { file_path: 'f', old_string: 'needle of hay', new_string: 'x' });
    expect(outcome.status).toBe('failed');
    expect(outcome.output.length).toBeLessThan(3000);
  });
});
