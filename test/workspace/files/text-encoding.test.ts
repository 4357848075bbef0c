import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeText, encodeText } from '../../../src/workspace/files/text-encoding.ts';

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const utf16 = (text: string): number[] => [...Buffer.from(text, 'utf16le')];
const swapped = (text: string): number[] => [...Buffer.from(text, 'utf16le').swap16()];

/** Little-endian, with its mark. */
const utf32 = (text: string): Buffer =>
  Buffer.concat([...`\u{feff}${text}`].map((one) => Buffer.from(new Uint32Array([one.codePointAt(0) ?? 0]).buffer)));

const SJIS = [0x93, 0xfa, 0x96, 0x7b, 0x0a, 0x61, 0x3d, 0x31, 0x0a];
const GBK = [0xc4, 0xe3, 0xba, 0xc3, 0x0a, 0x78, 0x3d, 0x31, 0x0a];

describe('an edit of the text changes exactly those bytes', () => {
  test.each([
    ['plain', bytes('a=1\n'), bytes('a=2\n')],
    ['CRLF', bytes('x\r\na=1\r\n'), bytes('x\r\na=2\r\n')],
    ['mixed line ends', bytes('a=1\r\nb\nc\rd'), bytes('a=2\r\nb\nc\rd')],
    ['byte order mark', bytes([0xef, 0xbb, 0xbf], 'a=1\n'), bytes([0xef, 0xbb, 0xbf], 'a=2\n')],
    [
      'a second mark inside',
      bytes([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], 'a=1'),
      bytes([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], 'a=2'),
    ],
    ['UTF-16LE', bytes([0xff, 0xfe], utf16('a=1\r\né')), bytes([0xff, 0xfe], utf16('a=2\r\né'))],
    ['UTF-16BE', bytes([0xfe, 0xff], swapped('a=1\r\n🎉')), bytes([0xfe, 0xff], swapped('a=2\r\n🎉'))],
    ['UTF-16LE without a mark', bytes(utf16('a=1\r\né“日')), bytes(utf16('a=2\r\né“日'))],
    ['UTF-16BE without a mark', bytes(swapped('a=1\t🎉\n')), bytes(swapped('a=2\t🎉\n'))],
    [
      'UTF-16LE without a mark, long',
      bytes(utf16(`a=1${'x'.repeat(70_000)}日`)),
      bytes(utf16(`a=2${'x'.repeat(70_000)}日`)),
    ],
    ['UTF-32LE', utf32('a=1\r\n🎉'), utf32('a=2\r\n🎉')],
    ['UTF-32BE', utf32('a=1\n').swap32(), utf32('a=2\n').swap32()],
    ['Shift-JIS', bytes(SJIS), bytes(SJIS.map((b) => (b === 0x31 ? 0x32 : b)))],
    ['GBK', bytes(GBK, 'a=1'), bytes(GBK, 'a=2')],
    ['Latin-1', bytes([0xe9, 0x20, 0xe8, 0x0a], 'a=1'), bytes([0xe9, 0x20, 0xe8, 0x0a], 'a=2')],
    [
      'emoji and escapes behind 70 KB of ASCII',
      bytes(`a=1${'x'.repeat(70_000)}🎉\x1b[0m`),
      bytes(`a=2${'x'.repeat(70_000)}🎉\x1b[0m`),
    ],
    ['curly quotes', bytes('“a=1” ‘yo’'), bytes('“a=2” ‘yo’')],
  ])('%s', async (_name, before, after) => {
    const decoded = await decodeText(before);
    expect(decoded?.text.startsWith('\u{feff}')).toBe(before.indexOf('\u{feff}'.repeat(2)) === 0);
    const edited = encodeText(decoded!.text.replace('a=1', 'a=2'), decoded!);
    expect(Buffer.from(edited!).equals(after)).toBe(true);
  });
});

test.each([
  ['NUL', bytes('a\0b')],
  ['a part of a UTF-32LE unit', bytes([0xff, 0xfe, 0, 0, 0x61, 0, 0])],
  ['no character of UTF-32BE', bytes([0, 0, 0xfe, 0xff, 0, 0x11, 0, 0x61])],
  ['half a UTF-16 unit', bytes([0xff, 0xfe, 0x61])],
  ['NUL bytes on both sides', bytes(utf16('a=1\n'), swapped('a=1\n'))],
  ['NUL bytes on both sides, far behind', bytes(utf16('a=1\n'.repeat(5000)), [0, 0x61])],
  ['an odd number of bytes that might be UTF-16', bytes(utf16('a=1\r\nb'), [0x61])],
  ['few NUL bytes', bytes(utf16(`${'日'.repeat(20)}a`))],
  ['half of a pair', bytes(utf16('a=1\r\nbcdef'), [0x3d, 0xd8], utf16('x'))],
  ['small numbers of 16 bits', bytes(Array.from({ length: 64 }, (_, i) => [i, 0]).flat())],
  ['numbers of 16 bits that may be private characters', bytes(utf16('abcd\ue000\ue001'))],
  ['a short list of letters ended by NUL', bytes('a\0b\0c\0')],
  ['names ended by NUL', bytes('src/a.ts\0src/b.ts\0src/cd.ts\0')],
  ['names of five letters ended by NUL', bytes('alpha\0gamma\0delta\0'.repeat(10))],
  ['a table of 32-bit numbers', Buffer.from(new Uint32Array([65, 66, 67, 68]).buffer)],
  ['control bytes outside Unicode', bytes([0x01, 0x02, 0xff, 0x80])],
  ['a PNG head', bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff])],
])('binary: %s', async (_name, content) => {
  expect(await decodeText(content)).toBeNull();
});

test('the head of a longer file may end inside a character', async () => {
  const content = bytes('aé');
  expect(await decodeText(content.subarray(0, 2), true)).toMatchObject({ text: 'a', encoding: 'utf-8' });
  expect((await decodeText(content.subarray(0, 2)))?.encoding).not.toBe('utf-8');
});

test('the head of a longer file in UTF-16 without a mark may end inside a unit', async () => {
  const content = bytes(utf16('a=1\r\nb=2'));
  expect(await decodeText(content.subarray(0, 15), true)).toEqual({
    text: 'a=1\r\nb=',
    encoding: 'utf-16le',
    bom: false,
  });
});

test('a character that the encoding lacks is refused, not replaced', async () => {
  const decoded = await decodeText(bytes(GBK));
  expect(encodeText('\ud800', decoded!)).toBeNull();
  expect(encodeText('a\ud800', { encoding: 'utf-8', bom: false })).toBeNull();
  await decodeText(bytes([0xe9, 0x20, 0xe8, 0x0a]));
  expect(encodeText('日本', { encoding: 'iso-8859-1', bom: false })).toBeNull();
  expect(encodeText('x', { encoding: 'no-such-encoding', bom: false })).toBeNull();
});

test('decoding and encoding give the same bytes, whatever they are', async () => {
  const marks = fc.constantFrom<number[]>([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]);
  await fc.assert(
    fc.asyncProperty(marks, fc.uint8Array({ max: 255, maxLength: 60 }), async (mark, body) => {
      const content = bytes(mark, [...body]);
      const decoded = await decodeText(content);
      if (decoded !== null) expect(Buffer.from(encodeText(decoded.text, decoded)!).equals(content)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
