/**
 * Random edits over random bytes, each compared with a reference that knows nothing of encodings and line ends: it looks
 * for the bytes of the old text, and where they stand once, puts the bytes of the new text there. An edit may be
 * refused; then it must have been right to. `FUZZ_EDITS` sets their number, `FUZZ_SEED` their beginning.
 */
import { expect, test } from 'vitest';
import { seededPrng } from '#lib';
import { diffAround } from '#workspace';
import { editReport } from '../../../src/tools/edit/edit-report.ts';
import { type EditedFile, splice } from '../../../src/tools/edit/splice.ts';
import { decodeText, encodeText } from '../../../src/workspace/files/text-encoding.ts';
import { openSession } from '../session.ts';

const edits = Number(process.env['FUZZ_EDITS'] ?? 100_000);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_130);

type Random = () => number;
const pick = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const below = (random: Random, limit: number): number => Math.floor(random() * limit);

const words = [
  'a',
  'b',
  'x=1',
  'foo',
  'bar',
  '  ',
  '\t',
  '$&',
  '$1',
  '"',
  '\\',
  '{',
  '}',
  'é',
  'ß',
  '日本',
  '🎉',
  '“q”',
  '',
];
const ends = ['\n', '\n', '\n', '\r\n', '\r\n', '\r'];

/** Bytes of one of many kinds: texts of several encodings, with and without marks, and bytes that are no text at all. */
function bytesOf(random: Random): Buffer {
  const kind = random();
  if (kind < 0.15) return Buffer.from(Array.from({ length: below(random, 60) }, () => below(random, 256)));
  if (kind < 0.25)
    return Buffer.from(
      Array.from({ length: below(random, 60) }, () => pick(random, [0x0a, 0x0d, 0x41, 0x61, 0xe9, 0x83, 0x41, 0xff])),
    );
  const line = () => Array.from({ length: below(random, 4) }, () => pick(random, words)).join('');
  const own = random() < 0.5 ? [pick(random, ends)] : ends;
  let text = Array.from({ length: 1 + below(random, 8) }, () => line() + pick(random, own)).join('');
  if (random() < 0.4) text = text.replace(/[\r\n]+$/, '');
  if (kind < 0.75) return Buffer.from(random() < 0.1 ? `\ufeff${text}` : text);
  if (kind < 0.85) return Buffer.from(`\ufeff${text}`, 'utf16le');
  if (kind < 0.92) return Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xc3])]);
}

/** A part of the text, as a model would send it: from what it was shown. */
function partOf(random: Random, text: string): string {
  const from = below(random, text.length);
  return text.slice(from, from + 1 + below(random, 12));
}

function countIn(bytes: Buffer, part: Uint8Array): number[] {
  const places: number[] = [];
  if (part.byteLength === 0) return places;
  for (let at = bytes.indexOf(part); at !== -1; at = bytes.indexOf(part, at + 1)) places.push(at);
  return places;
}

const replaced = (bytes: Buffer, at: number, old: Uint8Array, fresh: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), fresh, bytes.subarray(at + old.byteLength)]);

const bytesIn = (text: string): Buffer => Buffer.from(text, 'utf16le');
const shown = (text: string): string => text.replaceAll('\r\n', '\n');

test(`${edits} random edits are each equal to a reference splice of the bytes, or rightly refused`, async () => {
  const random = seededPrng(seed).next;
  const told = { made: 0, refused: 0, binary: 0, tolerant: 0 };
  for (let n = 0; n < edits; n++) {
    const bytes = bytesOf(random);
    const decoded = await decodeText(bytes);
    if (decoded === null || decoded.text === '') {
      told.binary++;
      continue;
    }
    const file: EditedFile = { ...decoded, bytes };
    const oldText = random() < 0.9 ? partOf(random, decoded.text) : pick(random, words);
    const newText = random() < 0.3 ? partOf(random, decoded.text) : `${pick(random, words)}${pick(random, words)}`;
    const all = random() < 0.2;
    const result = splice(file, { oldText, newText, all }, encodeText);
    const fail = (why: string) => {
      const edit = JSON.stringify({ oldText, newText, all });
      throw new Error(`seed ${seed}, edit ${n}: ${why}\n${bytes.toString('hex')}\n${edit}\n${JSON.stringify(result)}`);
    };
    const plain = { encoding: decoded.encoding, bom: false };
    const [old, fresh] = [encodeText(oldText, plain), encodeText(newText, plain)];
    if (!result.ok) {
      told.refused++;
      const { code } = result.fault;
      const alike = countIn(bytesIn(shown(decoded.text)), bytesIn(shown(oldText))).length;
      if (code === 'not-found' && oldText !== '' && decoded.text.includes(oldText)) fail('it is there');
      const twice = alike > 1 || countIn(bytesIn(decoded.text), bytesIn(oldText)).length > 1;
      // A lone carriage return may also be the first half of a line end, so it is judged with care.
      if (code === 'ambiguous' && !twice && !/\r(?!\n)/.test(oldText)) fail('it is there once');
      continue;
    }
    told.made++;
    const made = Buffer.from(result.changed.bytes);
    const again = encodeText(result.changed.text, decoded);
    // What is told as the new text is what the bytes say.
    if (again === null || !made.equals(again)) fail('text and bytes differ');
    if (old === null || fresh === null) {
      fail('it has no bytes');
      continue;
    }
    const hasEnds = /[\r\n]/.test(oldText + newText);
    const places = countIn(bytes, old);
    if (!hasEnds && !all && places.length === 1) {
      if (!made.equals(replaced(bytes, places[0] ?? 0, old, fresh))) fail('not the reference splice');
      continue;
    }
    if (hasEnds) told.tolerant++;
    // With line ends, or with the same bytes at odd places: everything outside the place is as it was, and the place
    // reads as the new text does.
    const { start, end } = result.changed.around;
    const head = encodeText(decoded.text.slice(0, start), decoded);
    const tail = encodeText(decoded.text.slice(decoded.text.length - end), plain);
    if (head === null || tail === null) {
      fail('no outside');
      continue;
    }
    if (!made.subarray(0, head.byteLength).equals(bytes.subarray(0, head.byteLength))) fail('bytes before it changed');
    const rest = bytes.subarray(bytes.byteLength - tail.byteLength);
    if (!made.subarray(made.byteLength - tail.byteLength).equals(rest)) fail('bytes behind it changed');
    // A lone carriage return next to a line end can be read in two ways; the bytes outside are compared all the same.
    if (/\r(?!\n)/.test([decoded.text, oldText, newText].join(' '))) continue;
    if (!all && shown(result.changed.around.fresh) !== shown(newText)) fail('another text stands there');
    if (all && shown(decoded.text).replaceAll(shown(oldText), () => shown(newText)) !== shown(result.changed.text)) {
      fail('not every place was replaced');
    }
  }
  // A fuzz that refuses everything shows nothing.
  expect(told.made).toBeGreaterThan(edits * 0.4);
  expect(told.tolerant).toBeGreaterThan(edits * 0.05);
}, 120_000);

test('the same through the tool, on real files', async () => {
  const random = seededPrng(seed + 1).next;
  const session = await openSession();
  for (let n = 0; n < 150; n++) {
    const bytes = bytesOf(random);
    session.put('f', bytes);
    await session.call('Read', { file_path: 'f' });
    const decoded = await decodeText(bytes);
    if (decoded === null || decoded.text === '') continue;
    const args = { file_path: 'f', old_string: partOf(random, decoded.text), new_string: pick(random, words) };
    const wanted = splice(
      { ...decoded, bytes },
      { oldText: args.old_string, newText: args.new_string, all: false },
      encodeText,
    );
    const outcome = await session.call('Edit', args);
    expect(outcome.status, outcome.output).toBe(wanted.ok ? 'succeeded' : 'failed');
    expect(session.file('f').equals(Buffer.from(wanted.ok ? wanted.changed.bytes : bytes))).toBe(true);
  }
}, 60_000);

test('a large file is edited in a part of it as it is as a whole: bytes, report and diff', async () => {
  const random = seededPrng(seed + 2).next;
  const line = (n: number) =>
    `${pick(random, ['', '  ', '\t'])}line ${n} of ${below(random, 1000)}${pick(random, [';', ' {', ''])}`;
  for (const end of ['\n', '\r\n']) {
    const lines = Array.from({ length: 50_000 }, (_, n) => line(n));
    let text = lines.join(end);
    let bytes: Uint8Array = Buffer.from(text);
    for (let n = 0; n < 60; n++) {
      const from = n === 0 ? 0 : n === 1 ? text.length - 30 : below(random, text.length);
      const oldText = text.slice(from, from + 1 + below(random, n % 7 === 0 ? 20_000 : 120));
      const edit = { oldText: random() < 0.5 ? shown(oldText) : oldText, newText: `new ${n}\nand more`, all: false };
      const whole = splice({ encoding: 'utf-8', bom: false, bytes, text }, edit, encodeText);
      const part = splice({ encoding: 'utf-8', bom: false, bytes, text, isPlain: true }, edit, encodeText);
      expect(part.ok).toBe(whole.ok);
      if (!part.ok || !whole.ok) {
        expect(part).toEqual(whole);
        continue;
      }
      const { pieces = [part.changed.bytes], isPlain } = part.changed;
      expect(Buffer.compare(Buffer.concat(pieces), whole.changed.bytes)).toBe(0);
      if (isPlain !== undefined) expect(isPlain).toBe(true);
      expect(Buffer.compare(part.changed.bytes, whole.changed.bytes)).toBe(0);
      expect(editReport('f', part.changed, 1)).toBe(editReport('f', whole.changed, 1));
      expect(await diffAround('f', part.changed.around)).toBe(await diffAround('f', whole.changed.around));
      // Every other edit is made in what the one before left.
      if (n % 2 === 0) ({ bytes, text } = part.changed);
    }
  }
}, 60_000);
