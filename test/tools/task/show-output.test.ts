import { expect, it } from 'vitest';
import { createMasker } from '#permission';
import { editReport } from '../../../src/tools/edit/edit-report.ts';
import { nearestLines } from '../../../src/tools/edit/nearest-lines.ts';
import type { Changed } from '../../../src/tools/edit/splice.ts';
import { page } from '../../../src/tools/read/page.ts';
import { showOutput } from '../../../src/tools/task/show-output.ts';
import { shownOutput } from '../../../src/tools/text/shown-output.ts';

const secret = 'Zq8xPlm42KdWvTr91yHs';
const { text: mask } = createMasker({ MY_API_TOKEN: secret });
const readerOf = (bytes: Buffer) => async (from: number, max: number) => ({
  bytes: bytes.subarray(from, from + max),
  size: bytes.length,
});
const filler = (length: number) => 'xxxxxxxxx\n'.repeat(Math.ceil(length / 10)).slice(0, length);
/** Any six characters of it. */
const pieces = Array.from({ length: secret.length - 5 }, (_, i) => secret.slice(i, i + 6));
const hasPiece = (text: string) => pieces.some((piece) => text.includes(piece));

it.each([0, 4, 10, 19, 20])('an offset %d characters into a secret shows none of it', async (inside) => {
  const at = 1_000_002;
  const output = Buffer.from(`${filler(at)}${secret}\nafter\n${filler(1_000_000)}`);
  const shown = await showOutput(readerOf(output), at + inside, mask);
  expect(hasPiece(shown)).toBe(false);
  expect(shown).toContain('\nafter\n');
  expect(shown.startsWith('[secret:MY_API_TOKEN]\nafter')).toBe(inside < 20);
  expect(shown).toContain(`(bytes ${at + inside} to ${at + inside + 30_000} of ${output.length}; go on with offset`);
});

it.each([1, 10, 19])('a part that ends %d characters into a secret shows none of it', async (inside) => {
  const output = Buffer.from(`${filler(29_999)}\n${secret}\n${filler(100_000)}`);
  const shown = await showOutput(readerOf(output), inside, mask);
  expect(hasPiece(shown)).toBe(false);
  expect(shown).toContain('[secret:MY_API_TOKEN]\n(bytes');
});

it.each([10_000, 64 * 1024, 200_000 - 20_000, 200_000 - 64 * 1024])(
  'both ends of an output that are cut at a secret (at %d) show none of it',
  async (cut) => {
    for (const inside of [5, 12]) {
      const before = filler(cut - inside);
      const output = Buffer.from(`${before}${secret}${filler(200_000 - before.length - secret.length)}`);
      expect(hasPiece(await showOutput(readerOf(output), undefined, mask))).toBe(false);
    }
  },
);

it.each([1000, 1333, 4000, 12_000, 16_000, 28_000])(
  'a preview that is cut at a secret (at %d) shows none of it',
  (at) => {
    for (const total of [8000, 32_000]) {
      for (let inside = 0; inside < 20; inside += 5) {
        const begin = filler(Math.min(at, total - 100) - inside);
        const output = Buffer.from(`${begin}${secret}${filler(total - begin.length - secret.length)}`);
        expect(hasPiece(shownOutput(output, 4000, mask).text)).toBe(false);
        // The same from the end.
        const reversed = Buffer.from(`${filler(total - begin.length - secret.length)}${secret}${begin}`);
        expect(hasPiece(shownOutput(reversed, 4000, mask).text)).toBe(false);
      }
    }
  },
);

it('what was left out before the preview counts as left out', () => {
  const kept = Buffer.from(filler(1_000_000));
  const { text, omitted } = shownOutput(kept, 4000, mask, 30_000_000);
  const shown = text.replace(/\n?\[… \d+ \w+ left out …\]\n?/g, '').length;
  expect(Math.abs(30_000_000 - omitted - shown)).toBeLessThan(100);
  expect(text).toContain(`[… ${omitted} characters left out …]`);
});

it.each([1981, 1990, 1999])('a long line that is cut inside of a secret (from %d on) shows none of it', (at) => {
  const shown = page(`first\n${'x'.repeat(at - 1)} ${secret} ${'y'.repeat(500)}\n`, 1, 10, mask)?.text ?? '';
  expect(hasPiece(shown)).toBe(false);
  expect(shown).toContain('[secret:MY_API_TOKEN]… (');
});

it.each([0, 30, 45, 52, 60])(
  'lines near to what was not found, and what was changed, show none of it (%d)',
  (behind) => {
    const line = `${'word '.repeat(100)}${secret} ${'z'.repeat(behind)} target ${'more '.repeat(100)}`;
    const near = nearestLines(`first\n${line}\n`, 'target here', mask)?.excerpt ?? '';
    expect(near).toContain('target');
    expect(hasPiece(near)).toBe(false);
    const at = line.indexOf('target');
    const report = editReport('f', changedAt(line, at, 'target'.length), 1, mask);
    expect(report).toContain('target');
    expect(hasPiece(report)).toBe(false);
  },
);

function changedAt(text: string, at: number, length: number): Changed {
  const around = { part: text, start: at, end: 0, fresh: '', linesBefore: 0, charactersBefore: 0, isTail: true };
  return { bytes: Buffer.from(text), text, count: 1, near: { text, at, length, line: 1 }, around };
}

it('a bar that overwrites itself is shown as it was at the end of the part', async () => {
  const output = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `\r${i} of 20000`).join(''));
  const shown = await showOutput(readerOf(output), 50_001, mask);
  expect(shown).toMatch(/^\d[\d of]*\n\(bytes/);
});
