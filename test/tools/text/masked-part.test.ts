import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMasker } from '#permission';
import { maskedPart, unmasked } from '../../../src/tools/text/masked-part.ts';

const secret = 'Zq8xPlm42KdWvTr91yHs';
const words = 'correct horse, battery staple!';
const token = `ghp_${'a1B2'.repeat(9)}`;
const key = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(20)}-----END PRIVATE KEY-----`;
const mask = createMasker({ MY_TOKEN: secret, DB_PASSWORD: words }).text;

/** Pieces of four characters. */
const piecesOf = (text: string) => Array.from({ length: text.length - 3 }, (_, i) => text.slice(i, i + 4));

describe.each([
  ['a value of a variable', secret],
  ['a value with blanks', words],
  ['a token known by its form', token],
  ['a private key', key],
])('of %s', (_name, hidden) => {
  const text = `before ()\n<${hidden}>\nafter ()`;
  const surroundings = `before ()\n<>\nafter ()`;

  it('no window shows a piece, and all windows show the rest', () => {
    for (let from = 0; from <= text.length; from += hidden === key ? 37 : 1) {
      for (const to of [from, from + 5, from + hidden.length + 3, text.length]) {
        const shown = maskedPart(text, from, Math.max(from, to), mask);
        const rest = shown.replaceAll(/\[secret:[\w.-]+\]/g, '');
        for (const piece of piecesOf(hidden)) if (!surroundings.includes(piece)) expect(rest).not.toContain(piece);
      }
    }
    expect(maskedPart(text, 0, text.length, mask)).toBe(mask(text));
  });

  it('a cut through it shows its mark', () => {
    const at = text.indexOf('<') + 1;
    expect(maskedPart(text, 0, at + 6, mask)).toMatch(/^before \(\)\n<\[secret:[\w.-]+\]$/);
    if (hidden !== key)
      expect(maskedPart(text, at + 6, text.length, mask)).toMatch(/^\[secret:[\w.-]+\]>\nafter \(\)$/);
    expect(maskedPart(text, at + 6, at + 9, mask)).toMatch(/^\[secret:[\w.-]+\]$/);
  });
});

it('of a text without secrets every part is shown as it is', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '[', ']', 'secret:', ' '), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.nat(60), fc.nat(60), fc.boolean(), (whole, a, b, isMasked) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      expect(maskedPart(whole, from, to, isMasked ? mask : unmasked)).toBe(whole.slice(from, to));
    }),
  );
});
