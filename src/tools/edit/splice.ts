/**
 * Replaces places of a file in its bytes. What lies outside of the places is copied and never encoded again, so no byte
 * there can change; where the text before a place does not lead to the same bytes, nothing is replaced.
 */
import { isAscii } from 'node:buffer';
import type { FileContent, Files, PartialChange } from '#workspace';
import { asLines, endsWithCr } from '../text/number-lines.ts';
import { findPlaces, lineAt, type Place } from './find-places.ts';

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}
export interface Changed {
  readonly bytes: Uint8Array;
  /** The same in pieces, where a large file is not put together before somebody asks. */
  readonly pieces?: readonly Uint8Array[];
  readonly isPlain?: boolean;
  readonly text: string;
  readonly count: number;
  readonly near: Near;
  readonly around: PartialChange;
}
/** The first place and what stands around it now: a large text is not put together whole to show a few lines of it. */
export interface Near {
  readonly text: string;
  /** Offset of the place in `text`, and the length of what stands there now. */
  readonly at: number;
  readonly length: number;
  /** Number of the line, from 1, in which the place begins. */
  readonly line: number;
}
export type SpliceFault =
  | {
      readonly code:
        | 'empty'
        | 'equal'
        | 'not-found'
        | 'no-change'
        | 'inexpressible'
        | 'not-exact'
        | 'guessed'
        | 'inside';
    }
  | { readonly code: 'ambiguous'; readonly lines: readonly number[] };
export type SpliceResult =
  | { readonly ok: true; readonly changed: Changed }
  | { readonly ok: false; readonly fault: SpliceFault };

export type EditedFile = Pick<FileContent, 'bytes' | 'encoding' | 'bom' | 'guessed' | 'isPlain'> & {
  readonly text: string;
};

const fail = (fault: SpliceFault): SpliceResult => ({ ok: false, fault });

export function splice(file: EditedFile, edit: Edit, encode: Files['encode']): SpliceResult {
  const { oldText, newText } = edit;
  if (oldText === '') return fail({ code: 'empty' });
  if (oldText === newText) return fail({ code: 'equal' });
  const window = windowOf(file, edit);
  if (window !== null) return spliceWindow(file, window, edit, encode);
  const found = findPlaces(file.text, oldText, newText, edit.all);
  if (!found.ok) return fail(found);
  return splicePlaces(file, edit, found.places, encode);
}

interface Window {
  readonly from: number;
  readonly to: number;
}

const largeBytes = 1024 * 1024;
const windowMargin = 16 * 1024;

/**
 * The part of a large file in which the only place must lie, by a look at the bytes alone. Null where that cannot be
 * told so simply: text other than ASCII, several places, none.
 */
function windowOf({ bytes, encoding, bom, isPlain }: EditedFile, { oldText, all }: Edit): Window | null {
  if (all || bytes.byteLength < largeBytes || encoding !== 'utf-8' || bom || isPlain !== true) return null;
  const line = oldText.split(/\r?\n/).reduce((best, one) => (one.length > best.length ? one : best));
  if (line === '' || !/^[\0-\x7f]*$/.test(line)) return null;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const at = buffer.indexOf(line, 0, 'latin1');
  if (at === -1 || buffer.indexOf(line, at + 1, 'latin1') !== -1) return null;
  const margin = oldText.length * 2 + windowMargin;
  const [from, to] = [Math.max(0, at - margin), Math.min(bytes.byteLength, at + line.length + margin)];
  const part = buffer.subarray(from, to);
  // Which line ends the file has is not seen in such a part.
  return part.includes(13) && !part.includes(10) ? null : { from, to };
}

/** The splice of a part, told as one of the whole. What is outside of it is not looked at. */
function spliceWindow(file: EditedFile, { from, to }: Window, edit: Edit, encode: Files['encode']): SpliceResult {
  const bytes = file.bytes.subarray(from, to);
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const part = splice({ encoding: file.encoding, bom: false, bytes, text }, edit, encode);
  if (!part.ok) return part;
  const { changed } = part;
  const { near, around } = changed;
  const linesBefore = countLines(file.bytes, from);
  const charactersBefore = from === 0 ? 0 : from - 1 - file.bytes.lastIndexOf(10, from - 1);
  const pieces = [file.bytes.subarray(0, from), changed.bytes, file.bytes.subarray(to)];
  let whole: Buffer | null = null;
  const together = () => {
    if (whole !== null) return whole;
    whole = Buffer.concat(pieces);
    counted.set(whole, { at: from, lines: linesBefore });
    return whole;
  };
  return {
    ok: true,
    changed: {
      ...changed,
      get bytes() {
        return together();
      },
      pieces,
      isPlain: isAscii(changed.bytes) && !changed.bytes.includes(0),
      get text() {
        return together().toString('utf8');
      },
      near: { ...near, line: near.line + linesBefore },
      around: { ...around, linesBefore, charactersBefore, isTail: to === file.bytes.byteLength },
    },
  };
}

/** Lines up to a place of a large content that came of an edit: the next edit is often near the last one. */
const counted = new WeakMap<Uint8Array, { readonly at: number; readonly lines: number }>();

/** Line ends before an offset. */
function countLines(bytes: Uint8Array, to: number): number {
  const known = counted.get(bytes) ?? { at: 0, lines: 0 };
  if (to >= known.at) return known.lines + lineEnds(bytes.subarray(known.at, to));
  return to < known.at / 2 ? lineEnds(bytes.subarray(0, to)) : known.lines - lineEnds(bytes.subarray(to, known.at));
}

function lineEnds(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}

/** Replaces places that were found otherwise; `edit` says which text went there and which comes. */
export function splicePlaces(
  file: EditedFile,
  edit: Pick<Edit, 'oldText' | 'newText'>,
  places: readonly Place[],
  encode: Files['encode'],
): SpliceResult {
  if (file.guessed === true) {
    const fault = guessFault(file, edit, places);
    if (fault !== null) return fail(fault);
  }
  return replacePlaces(file, places, encode);
}

/**
 * Where the encoding is a guess, only what any encoding agrees on is changed: characters that were there already, and
 * ASCII that cannot be the second half of a character.
 */
function guessFault(
  { text }: EditedFile,
  { oldText, newText }: Pick<Edit, 'oldText' | 'newText'>,
  places: readonly Place[],
): SpliceFault | null {
  const there = new Set(oldText);
  for (const one of newText) if (one > '\x7f' && !there.has(one)) return { code: 'guessed' };
  const second = /^[0-9@-~]/;
  const isInside = second.test(oldText) && places.some(({ at }) => at > 0 && text.charCodeAt(at - 1) > 0x7f);
  return isInside ? { code: 'inside' } : null;
}

function replacePlaces(file: EditedFile, places: readonly Place[], encode: Files['encode']): SpliceResult {
  const { text, bytes, encoding } = file;
  const plain = { encoding, bom: false };
  const isAscii = encoding === 'utf-8' && !file.bom && text.length === bytes.byteLength;
  const lengthOf = (part: string): number | null => {
    if (isAscii) return part.length;
    return encoding === 'utf-8' ? Buffer.byteLength(part, 'utf8') : sameBytes(encode(part, plain), bytes, at);
  };
  let made = '';
  const parts: Uint8Array[] = [];
  let from = 0;
  let at = encode('', file)?.byteLength ?? 0;
  let copied = 0;
  for (const place of places) {
    const before = lengthOf(text.slice(from, place.at));
    if (before === null) return fail({ code: 'not-exact' });
    at += before;
    const old = encode(text.slice(place.at, place.end), plain);
    if (old === null || sameBytes(old, bytes, at) === null) return fail({ code: 'not-exact' });
    const fresh = encode(place.text, plain);
    if (fresh === null) return fail({ code: 'inexpressible' });
    parts.push(bytes.subarray(copied, at), fresh);
    made += text.slice(from, place.at) + place.text;
    at += old.byteLength;
    copied = at;
    from = place.end;
  }
  parts.push(bytes.subarray(copied));
  made += text.slice(from);
  const first = places[0] as Place;
  const end = text.length - (places.at(-1) as Place).end;
  const changed = {
    bytes: Buffer.concat(parts),
    text: made,
    count: places.length,
    near: nearOf(text, places),
    around: {
      part: text,
      start: first.at,
      end,
      fresh: places.length === 1 ? first.text : made.slice(first.at, made.length - end),
      linesBefore: 0,
      charactersBefore: 0,
      isTail: true,
    },
  };
  return { ok: true, changed };
}

const linesBefore = 2;
const charactersAround = 4_000;

function nearOf(whole: string, places: readonly Place[]): Near {
  const isCr = endsWithCr(whole);
  const text = asLines(whole);
  const first = places[0] as Place;
  let start = first.at;
  for (let i = 0; i <= linesBefore && start > 0; i++) start = text.lastIndexOf('\n', start - 1);
  start = Math.max(start + 1, first.at - charactersAround, 0);
  if (first.at === 0) start = 0;
  let near = text.slice(start, first.at);
  const at = near.length;
  for (const [i, place] of places.entries()) {
    const next = places[i + 1]?.at ?? text.length;
    near +=
      (isCr ? place.text.replaceAll('\r', '\n') : place.text) +
      text.slice(place.end, Math.min(next, place.end + charactersAround));
    if (near.length - at > charactersAround) break;
  }
  return { text: near, at, length: first.text.length, line: lineAt(text, first.at) };
}

/** The length of the part if exactly these bytes stand at the offset; else the text does not tell where they are. */
function sameBytes(part: Uint8Array | null, bytes: Uint8Array, at: number): number | null {
  if (part === null || at + part.byteLength > bytes.byteLength) return null;
  return Buffer.compare(part, bytes.subarray(at, at + part.byteLength)) === 0 ? part.byteLength : null;
}
