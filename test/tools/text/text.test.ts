import { fc, test } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { cleanText } from '../../../src/tools/text/clean-output.ts';
import { exitCodeText } from '../../../src/tools/text/exit-code.ts';
import { preview, tail } from '../../../src/tools/text/preview.ts';

describe('cleanText', () => {
  it.each([
    ['colours', '\x1b[31mred\x1b[0m', 'red'],
    ['a title', '\x1b]0;title\x07text', 'text'],
    ['a link', '\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['a progress bar', '10%\r50%\r100%\ndone', '100%\ndone'],
    ['a bar that clears itself', '100%\r\x1b[K\ndone', '100%\ndone'],
    ['CRLF', 'a\r\nb\r\n', 'a\nb\n'],
    ['bells and backspaces', 'a\x07b\x08c', 'abc'],
    ['tabs stay', 'a\tb', 'a\tb'],
    ['an unfinished escape', 'a\x1b', 'a'],
    ['a byte order mark', '\ufeffa', 'a'],
    ['a title without an end hides no further line', '\x1b]0;title\n1 failed\n', '0;title\n1 failed\n'],
    ['nor does a device control string', 'a\x1bPb\n1 failed', 'ab\n1 failed'],
    ['nor a title that is ended lines later', '\x1b]0;t\n1 failed\n\x07end', '0;t\n1 failed\nend'],
    ['returns before and behind a text', '\r\r\ra\r\r\r\nb\r', 'a\nb'],
    ['returns alone', '\r\r\n\r', '\n'],
  ])('%s', (_name, text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });
});

describe('cleanText takes time linear in the text', () => {
  it.each(['\r', '\r\r\n', ' \r', '\x1b', '\x1b[', '\x1b]', '\x1bP', '\x1b[1;', '\x1b[ ', '\x9b', '\x07', '0'])(
    'of many %j',
    (unit) => {
      const timeOf = (count: number) => {
        const text = unit.repeat(count / unit.length);
        const begin = performance.now();
        cleanText(text);
        return performance.now() - begin;
      };
      timeOf(60_000);
      // Ten times the text; quadratic work would take a hundred times as long, and hours for what commands may print.
      expect(timeOf(600_000)).toBeLessThan(40 * Math.max(1, timeOf(60_000)) + 200);
    },
  );
});

describe('preview', () => {
  it('keeps the first third and the last two thirds', () => {
    const lines = Array.from({ length: 1000 }, (_, i) => `line ${i}`).join('\n');
    const cut = preview(lines, 3000);
    expect(cut.text.startsWith('line 0\n')).toBe(true);
    expect(cut.text.endsWith('line 999')).toBe(true);
    const [head = '', rest = ''] = cut.text.split(/\n\[… \d+ characters left out …\]\n/);
    expect(rest.length).toBeGreaterThan(head.length * 1.7);
    expect(head.split('\n').at(-1)).toMatch(/^line \d+$/);
    expect(rest.split('\n')[0]).toMatch(/^line \d+$/);
  });
  test.prop([fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 6, max: 300 })])(
    'says exactly how much is missing and breaks no character',
    (text, limit) => {
      const cut = preview(text, limit);
      if (cut.omitted === 0) expect(cut.text).toBe(text);
      else
        expect(cut.text.length).toBe(text.length - cut.omitted + `\n[… ${cut.omitted} characters left out …]\n`.length);
      if (text.isWellFormed()) expect(cut.text.isWellFormed()).toBe(true);
      if (text.isWellFormed()) expect(tail(text, limit).isWellFormed()).toBe(true);
    },
  );
});

describe('exitCodeText', () => {
  it.each([
    [0, 'exit code 0'],
    [1, 'exit code 1'],
    [137, 'exit code 137 (exit 137 or SIGKILL)'],
    [143, 'exit code 143 (exit 143 or SIGTERM)'],
    [255, 'exit code 255'],
  ])('%i', (code, text) => {
    expect(exitCodeText(code)).toBe(text);
  });
});
