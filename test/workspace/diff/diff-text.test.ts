import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffAround, diffText } from '#workspace';

test.each([
  ['equal', 'a\n', 'a\n', ''],
  ['both absent', null, null, ''],
  ['one line', 'a\nb\n', 'a\nc\n', '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n'],
  ['created', null, 'a\n', '--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n'],
  ['deleted', 'a\n', null, '--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n'],
  [
    'no last line end',
    'a',
    'b',
    '--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n',
  ],
  ['line ends only', 'a\r\n', 'a\n', '--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\r\n+a\n'],
])('%s', async (_name, before, after, expected) => {
  expect(await diffText('f', before, after)).toBe(expected);
});

test('two large texts without anything in common come out in time, as one replacement', async () => {
  const text = (seed: number) => Array.from({ length: 20_000 }, (_, i) => `${seed} ${i * seed}\n`).join('');
  const patch = await diffText('f', text(3), text(7));
  expect(patch.startsWith('--- a/f\n+++ b/f\n@@ -1,20000 +1,20000 @@\n-3 0\n')).toBe(true);
  expect(applyPatch(text(3), patch)).toBe(text(7));
});

test('a diff applied to the old text gives the new one', async () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
  await fc.assert(
    fc.asyncProperty(text, text, async (before, after) => {
      const patch = await diffText('f', before, after);
      if (patch !== '') expect(applyPatch(before, patch)).toBe(after);
      else expect(before).toBe(after);
    }),
  );
});

const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'long line'), { maxLength: 20 }).map((all) => all.join('\n'));

test('told by its place, a diff is the same as one of the whole texts', async () => {
  await fc.assert(
    fc.asyncProperty(lines, lines, lines, lines, async (head, old, fresh, tail) => {
      const [before, after] = [head + old + tail, head + fresh + tail];
      fc.pre(before !== after);
      const whole = { linesBefore: 0, charactersBefore: 0, isTail: true };
      const change = { part: before, start: head.length, end: tail.length, fresh, ...whole };
      const shown = await diffAround('f', change);
      expect(applyPatch(before, shown)).toBe(after);
    }),
  );
});

test('of a part of a text, lines keep their numbers; where the part has not enough of them, characters are told', async () => {
  const before = Array.from({ length: 50 }, (_, i) => `line ${i}\n`).join('');
  const at = before.indexOf('line 30');
  const from = before.indexOf('line 20');
  const to = before.indexOf('line 40');
  const change = (part: string, start: number, charactersBefore: number) => ({
    part,
    start,
    end: part.length - start - 'line 30'.length,
    fresh: 'LINE 30',
    linesBefore: 20,
    charactersBefore,
    isTail: false,
  });
  const shown = await diffAround('f', change(before.slice(from, to), at - from, 0));
  expect(shown).toBe(await diffText('f', before, before.replace('line 30', 'LINE 30')));
  const cut = await diffAround('f', change('x line 30 y', 2, 100));
  expect(cut).toBe('--- a/f\n+++ b/f\n@@ line 21, around character 103 @@\n-x line 30 y\n+x LINE 30 y\n');
});
