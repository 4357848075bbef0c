import { describe, expect, it } from 'vitest';
import { openSession } from '../session.ts';
import { gif, jpeg, pdf, pngOf, webpLossless, webpLossy } from './pictures.ts';

const png = pngOf(30, 20);
const whole: readonly (readonly [string, Buffer])[] = [
  ['a PNG', png],
  ['a PNG with bytes behind its end', Buffer.concat([png, Buffer.from('more')])],
  ['a PNG of 8000 pixels', pngOf(8000, 1)],
  ['a JPEG', jpeg],
  ['a JPEG with bytes behind its end', Buffer.concat([jpeg, Buffer.alloc(50)])],
  ['a GIF', gif],
  ['a lossy WebP', webpLossy],
  ['a lossless WebP', webpLossless],
  ['a PDF', pdf],
];

const read = async (content: Buffer | string) => {
  const session = await openSession({ 'a.file': content });
  return session.call('Read', { file_path: 'a.file' });
};

describe('what is handed over', () => {
  it.each(whole)('%s', async (_name, content) => {
    expect((await read(content)).attachments).toHaveLength(1);
  });
});

describe('what only begins like an image or document', () => {
  it.each(whole.filter(([name]) => !name.includes('behind')))(
    '%s, cut anywhere, is not handed over',
    async (name, content) => {
      const step = Math.max(1, Math.floor(content.length / 12));
      // The end mark of a PDF is looked for, and a line end behind it is no part of it.
      const last = content.length - (name === 'a PDF' ? 2 : 1);
      for (let length = last; length > 3; length -= step) {
        const outcome = await read(content.subarray(0, length));
        expect(outcome.status).toBe('succeeded');
        expect(outcome.attachments).toBeUndefined();
      }
    },
  );

  it.each<[string, string]>([
    ['a GIF', 'GIF89a is how such files begin.\n'],
    ['a GIF, with its last sign', 'GIF89a=1;'],
    ['a PDF', '%PDF-1.7'],
    ['a PDF of two lines', '%PDF-1.7\nnothing else\n'],
  ])('a text that begins like %s is shown as text', async (_name, text) => {
    const outcome = await read(text);
    expect(outcome.attachments).toBeUndefined();
    expect(outcome.output).toContain(`     1\t${text.split('\n')[0]}`);
    expect(outcome.seen).toHaveLength(1);
  });

  it.each<[string, Buffer, string]>([
    [
      'a signature alone',
      png.subarray(0, 8),
      'begins like a PNG image, but is not a whole one: the IHDR chunk is missing',
    ],
    ['a PNG without its end', png.subarray(0, -12), 'the IEND chunk at its end is missing'],
    ['a PNG without pixels', Buffer.concat([png.subarray(0, 33), png.subarray(-12)]), 'pixels is missing'],
    ['a PNG without a size', pngOf(0, 5), 'a size is missing'],
    ['a JPEG without its end', jpeg.subarray(0, -2), 'the mark of its end is missing'],
    ['a WebP without its end', webpLossy.subarray(0, -4), 'a part of its bytes is missing'],
  ])('%s is told with what is missing', async (_name, content, text) => {
    expect((await read(content)).output).toContain(text);
  });

  it.each([
    [8001, 2],
    [2, 8001],
    [20_000, 2000],
  ])('a PNG of %d×%d pixels is told with what to do', async (width, height) => {
    const outcome = await read(pngOf(width, height));
    expect(outcome.attachments).toBeUndefined();
    expect(outcome.output).toContain(`${width}×${height} pixels, more than the 8000 a side`);
    expect(outcome.output).toContain('make a smaller copy');
  });
});
