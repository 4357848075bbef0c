import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffText } from '#workspace';

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
