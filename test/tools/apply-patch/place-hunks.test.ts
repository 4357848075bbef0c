import { applyPatch, createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parsePatch } from '../../../src/tools/apply-patch/parse-patch.ts';
import { placeHunks } from '../../../src/tools/apply-patch/place-hunks.ts';

/** Applies a patch of one file to a text, by the places found for it; null where it does not fit. */
function apply(content: string, patch: string): string | null {
  const parsed = parsePatch(patch);
  if (!parsed.ok) throw new Error(`line ${parsed.line}: ${parsed.why}`);
  const [file] = parsed.files;
  if (file?.kind !== 'update') throw new Error('no update');
  const placed = placeHunks(content, file.hunks);
  if (!placed.ok) return null;
  let text = '';
  let from = 0;
  for (const place of placed.places) {
    text += content.slice(from, place.at) + place.text;
    from = place.end;
  }
  return text + content.slice(from);
}

const sections = (...lines: readonly string[]) =>
  ['*** Begin Patch', '*** Update File: f', ...lines, '*** End Patch'].join('\n');

it.each<[string, string, string, string | null]>([
  ['one line', 'a\nb\nc\n', sections('@@', ' a', '-b', '+B'), 'a\nB\nc\n'],
  ['CRLF lines stay, new ones follow', 'a\r\nb\r\nc\r\n', sections(' a', '-b', '+B', '+B2'), 'a\r\nB\r\nB2\r\nc\r\n'],
  ['mixed line ends stay', 'a\r\nb\nc\r\n', sections(' a', '-b', '+B', ' c'), 'a\r\nB\nc\r\n'],
  ['an open end stays open', 'a\nb', sections(' a', '-b', '+B'), 'a\nB'],
  ['lines added to an open end', 'a\nb', sections(' b', '+c', '*** End of File'), 'a\nb\nc'],
  ['lines added to an open end with CRLF', 'a\r\nb', sections(' b', '+c', '+d', '*** End of File'), 'a\r\nb\r\nc\r\nd'],
  ['an open last line with CRLF becomes two', 'a\r\nb', sections('-b', '+B', '+C'), 'a\r\nB\r\nC'],
  ['the open last line goes', 'a\nb', sections(' a', '-b'), 'a'],
  ['an empty file gets lines', '', sections('+a', '+b'), 'a\nb\n'],
  ['behind a head', 'f:\n x\ng:\n x\n', sections('@@ g:', '- x', '+ y'), 'f:\n x\ng:\n y\n'],
  [
    'behind two heads',
    'class A:\n f:\n  x\nclass B:\n f:\n  x\n',
    sections('@@ class B:', '@@ f:', '-  x', '+  y'),
    'class A:\n f:\n  x\nclass B:\n f:\n  y\n',
  ],
  ['at the end of the file', 'x\ny\nx\n', sections('-x', '+z', '*** End of File'), 'x\ny\nz\n'],
  ['two parts in order', 'a\nb\nc\nd\n', sections('@@', '-a', '+A', '@@', '-d', '+D'), 'A\nb\nc\nD\n'],
  ['an empty line behind, and none in the file', 'a\nb\n', sections('@@', ' a', '-b', '+B', ''), 'a\nB\n'],
  ['several empty lines behind', 'a\nb\n\nc\n', sections('@@', ' a', '-b', '+B', '', '', ''), 'a\nB\n\nc\n'],
  ['an empty line before the next part', 'a\nb\nc\n', sections('@@', '-a', '+A', '', '@@', '-c', '+C'), 'A\nb\nC\n'],
  ['an empty line before the end of the file', 'x\ny\nx\n', sections('-x', '+z', '', '*** End of File'), 'x\ny\nz\n'],
  ['an empty line behind that the file has', 'a\n\nb\na\n', sections('@@', '-a', '+A', ''), 'A\n\nb\na\n'],
  ['an empty line with its blank is meant', 'a\nb\n', sections('@@', ' a', '-b', '+B', ' '), null],
  ['an empty line that goes is meant', 'a\nb\n', sections('@@', ' a', '-b', '+B', '-'), null],
  ['an empty line behind the head of a file', 'a\nb\n', sections('', '@@', ' a', '-b', '+B'), 'a\nB\n'],
  ['new lines go behind their head, not to an empty line', 'f\ng\n\nh\n', sections('@@ f', '+x', ''), 'f\nx\ng\n\nh\n'],
  ['only new lines and an empty one', 'a\n\nb\n', sections('@@', '+x', ''), null],
  ['several places', 'x\ny\nx\n', sections('-x', '+z'), null],
  ['white space differs', 'a\n\tb\n', sections('-    b', '+c'), null],
  ['the head is missing', 'a\n', sections('@@ nowhere', '-a', '+b'), null],
  ['only new lines, and no place', 'a\n', sections('+b'), null],
  ['parts in the wrong order', 'a\nb\n', sections('@@', '-b', '+B', '@@', '-a', '+A'), null],
  ['right number, wrong context', 'a\nb\n', '--- a/f\n+++ b/f\n@@ -2,1 +2,1 @@\n-x\n+y\n', null],
  ['wrong number, right context', 'a\nb\n', '--- a/f\n+++ b/f\n@@ -9,1 +9,1 @@\n-b\n+y\n', 'a\ny\n'],
  ['the number chooses', 'x\ny\nx\n', '--- a/f\n+++ b/f\n@@ -3,1 +3,1 @@\n-x\n+z\n', 'x\ny\nz\n'],
  [
    'the open last line goes, and the one before is said to be closed',
    'a\nb',
    '--- a/f\n+++ b/f\n@@ -2 +1,0 @@\n-b\n\\ No newline at end of file\n',
    'a\n',
  ],
  [
    'a line end is added at the end',
    'a',
    '--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n',
    'a\n',
  ],
])('%s', (_name, content, patch, expected) => {
  expect(apply(content, patch)).toBe(expected);
});

it('what a diff says of two texts is what it makes of the first', () => {
  const text = fc
    .tuple(fc.array(fc.constantFrom('a', 'b', 'c', '', 'd d', '+e', '-- f'), { maxLength: 12 }), fc.boolean())
    .map(([lines, closed]) => lines.map((line, i) => `${line}${closed || i < lines.length - 1 ? '\n' : ''}`).join(''));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after && before !== '');
      const patch = createTwoFilesPatch('a/f', 'b/f', before, after);
      const made = apply(before, patch.replace(/^=+\n/, ''));
      // A part without any old line is refused, because nothing but its number says where it belongs.
      if (made !== null) expect(made).toBe(applyPatch(before, patch));
    }),
    { numRuns: 500 },
  );
});
