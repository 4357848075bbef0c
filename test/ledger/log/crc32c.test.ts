import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { crc32c } from '../../../src/ledger/log/crc32c.ts';

describe('crc32c', () => {
  // The published vectors of RFC 3720, appendix B.4, and the usual check value.
  const vectors: [string, Uint8Array, number][] = [
    ['nothing', new Uint8Array(0), 0],
    ['123456789', Buffer.from('123456789'), 0xe3069283],
    ['32 zeros', new Uint8Array(32), 0x8a9136aa],
    ['32 bytes of ones', new Uint8Array(32).fill(0xff), 0x62a8ab43],
    ['0 to 31', Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd794e],
    ['31 to 0', Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113fdb5c],
  ];
  for (const [what, bytes, expected] of vectors) it(`of ${what}`, () => expect(crc32c(bytes)).toBe(expected));

  it('goes on from a seed, wherever the bytes are parted', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), (bytes, at) => {
        const part = Math.min(at, bytes.length);
        expect(crc32c(bytes, part, bytes.length, crc32c(bytes, 0, part))).toBe(crc32c(bytes));
      }),
    ));
});
