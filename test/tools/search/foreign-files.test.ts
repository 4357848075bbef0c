import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { searchForeign } from '../../../src/tools/search/foreign-files.ts';
import { openSession } from '../session.ts';

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 4 }).map((text) => Buffer.from(text.replaceAll('\0', ''))),
  fc.uint8Array({ max: 255, min: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('中', 'é', '\n', '😀', 'a').map((text) => Buffer.from(text)),
  fc.constantFrom('中', '😀').map((text) => Buffer.from(text).subarray(0, -1)),
  fc
    .constantFrom([0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe0, 0x80, 0x80])
    .map((b) => Buffer.from(b)),
);

it('searches exactly the files that are not UTF-8', async () => {
  const contents = fc
    .sample(fc.array(piece, { minLength: 1, maxLength: 5 }), { numRuns: 600, seed: 7 })
    .map((parts) => Buffer.concat(parts));
  const session = await openSession(Object.fromEntries(contents.map((bytes, i) => [`f${i}`, bytes])));
  const search = { narrowing: [], targets: ['.'], call: ['-l', '--null', '-e', '中'], characters: '中' };
  const found = await searchForeign(
    session.workspace,
    { ...search, mode: 'files_with_matches', matches: () => true },
    new AbortController().signal,
  );
  // A mark at the beginning says what a file is, and ripgrep follows it.
  const marked = (bytes: Buffer) => bytes.toString('hex', 0, 2) === 'fffe' || bytes.toString('hex', 0, 2) === 'feff';
  const expected = contents.flatMap((bytes, i) => (isUtf8(bytes) || marked(bytes) ? [] : [`f${i}`]));
  expect(expected.length).toBeGreaterThan(100);
  expect(
    found.ok &&
      [...found.searched].filter((path) => !marked(contents[Number(path.slice(1))] ?? Buffer.of())).toSorted(),
  ).toEqual(expected.toSorted());
});
