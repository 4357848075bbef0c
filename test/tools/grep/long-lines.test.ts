import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { openSession } from '../session.ts';

const far = `${'x'.repeat(5_000_000)} before needle after ${'y'.repeat(5_000_000)}`;
const lines = async (files: { readonly [path: string]: string | Uint8Array }, pattern: string, more = {}) => {
  const session = await openSession(files);
  const outcome = await session.call('Grep', { pattern, output_mode: 'content', ...more });
  expect(outcome.status).toBe('succeeded');
  expect(outcome.output.length).toBeLessThan(4000);
  return outcome.output.split('\n');
};

describe('Grep in lines that are too long to be shown', () => {
  it.each<[string, string, object]>([
    ['plainly', 'needle', {}],
    ['with anything around', '.*needle.*', {}],
    ['with anything around it and anchors', '^.*needle.*$', {}],
    ['as one of several', 'nothing|needle', {}],
    ['in any case', 'NEEDLE', { '-i': true }],
    ['over line ends', 'needle', { multiline: true }],
    ['with lines around', 'needle', { '-C': 1, head_limit: 1 }],
  ])('shows the place of a match and how far in it stands: %s', async (_name, pattern, more) => {
    const [line] = await lines({ a: `${far}\nshort\n` }, pattern, more);
    expect(line).toMatch(/^a:1:\(byte 5000009 of the line\) …x+ before needle after y+…$/);
    expect(line?.length).toBeLessThan(400);
  });

  it('a match that the beginning shows is shown so, and the next ones follow it', async () => {
    const text = `needle ${'x'.repeat(1000)} needle ${'x'.repeat(1000)}`;
    const [first, second, ...rest] = await lines({ a: text }, 'needle');
    expect(first).toMatch(/^a:1:needle x+/);
    expect(second).toMatch(/^a:1:\(byte 1009 of the line\) …x+ needle x+…$/);
    expect(rest).toEqual([]);
  });

  it('many matches in one line are a few places, and a word that there are more', async () => {
    const shown = await lines(
      { a: `${'x'.repeat(500)}${`needle ${'x'.repeat(200)}`.repeat(10_000)}\nneedle\n` },
      'needle',
    );
    expect(shown.map((line) => line.replace(/…x.*/, ''))).toEqual([
      'a:1:(byte 501 of the line) ',
      'a:1:(byte 708 of the line) ',
      'a:1:(byte 915 of the line) ',
      'a:1:(and further on in this line)',
      'a:2:needle',
    ]);
  });

  it('a match that is long itself is cut', async () => {
    const [line] = await lines({ a: `${'-'.repeat(1000)}${'x'.repeat(9000)}` }, 'x+');
    expect(line).toMatch(/^a:1:\(byte 1001 of the line\) …-{80}x{200,330}…$/);
  });

  it('a line in another encoding', async () => {
    const text = `${'短い文章です。'.repeat(500)}検索${'これは日本語の文章です。'.repeat(50)}\n`;
    const [line] = await lines({ a: iconv.encode(text, 'shift_jis') }, '検索');
    expect(line).toMatch(/^a:1:\(byte \d+ of the line\) …短?.*検索これは.*…$/);
  });

  it.each<[string, string, RegExp]>([
    ['UTF-8 with a mark', '\ufeff', /^a:1:\(byte 1001 of the line\) …(?:é)+needle(?:é)+…$/],
    ['UTF-16 with a mark', 'utf-16le', /^a:1:\(byte 1001 of the line\) …(?:é)+needle(?:é)+…$/],
  ])('of %s', async (_name, mark, form) => {
    const text = `${'é'.repeat(500)}needle${'é'.repeat(500)}\n`;
    const bytes = mark === '\ufeff' ? mark + text : iconv.encode(text, mark, { addBOM: true });
    expect((await lines({ a: bytes }, 'needle'))[0]).toMatch(form);
  });

  it('a boundary of words after other letters, for which ripgrep takes its slow way', async () => {
    const text = Array.from({ length: 60_000 }, (_, i) => `f${i}("é${i}");`).join('');
    const [line] = await lines({ a: text }, 'é31234\\b');
    expect(line).toMatch(/^a:1:\(byte \d+ of the line\) ….*"é31234"\);f31235.*…$/);
  });

  it('control characters are written as codes, in short lines and long ones', async () => {
    const colour = '\x1b[31mneedle\x1b[0m\x07';
    const shown = await lines({ a: `${'x'.repeat(500)}${colour}\n`, b: `${colour}\n` }, 'needle');
    expect(shown).toEqual([
      expect.stringMatching(/^a:1:\(byte 506 of the line\) …x+\\x1b\[31mneedle\\x1b\[0m\\x07…$/),
      'b:1:\\x1b[31mneedle\\x1b[0m\\x07',
    ]);
  });
});
