import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { decodeOutput } from '../../../src/tools/text/decode-output.ts';

describe('decodeOutput', () => {
  test.each([
    ['text', Buffer.from('ok 日本 🧗\n'), 'ok 日本 🧗\n'],
    [
      'GBK in one line, UTF-8 in another',
      Buffer.from([0xe6, 0x97, 0xa5, 10, 0xc4, 0xe3, 0xba, 0xc3]),
      '日\n\\xc4\\xe3\\xba\\xc3',
    ],
    ['a cut character', Buffer.from([0x61, 0xe6, 0x97]), 'a\\xe6\\x97'],
    ['an overlong form', Buffer.from([0xc0, 0xaf]), '\\xc0\\xaf'],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), '\\xed\\xa0\\x80'],
    ['a replacement character that was printed', Buffer.from('a\ufffdb'), 'a\ufffdb'],
    ['a byte order mark', Buffer.from('\ufeffa'), '\ufeffa'],
  ])('%s', (_name, bytes, text) => {
    expect(decodeOutput(bytes)).toBe(text);
  });

  test('much of what is no text is not spelled out', () => {
    expect(decodeOutput(Buffer.alloc(100_000, 0xff))).toBe('\ufffd'.repeat(100_000));
  });

  property.prop([fc.uint8Array({ maxLength: 200 })])('is what the platform decodes wherever that is whole', (bytes) => {
    const text = decodeOutput(bytes);
    const platform = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    expect(text.replaceAll(/\\x[89a-f][0-9a-f]/g, '\ufffd').replaceAll(/\ufffd+/g, '\ufffd')).toBe(
      platform.replaceAll(/\\x[89a-f][0-9a-f]/g, '\ufffd').replaceAll(/\ufffd+/g, '\ufffd'),
    );
  });
});
