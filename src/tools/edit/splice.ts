/**
 * Replaces places of a file in its bytes. What lies outside of the places is copied and never encoded again, so no byte
 * there can change; where the text before a place does not lead to the same bytes, nothing is replaced.
 */
import type { FileContent, Files } from '#workspace';
import { findPlaces, lineAt, type Place } from './find-places.ts';

export interface Edit {
  readonly oldText: string;
  readonly newText: string;
  readonly all: boolean;
}
export interface Changed {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly count: number;
  /** Offset in `text` of the first place, and the length of what stands there now. */
  readonly at: number;
  readonly length: number;
  /** Characters of the old and of the new text that are alike at the start and at the end. */
  readonly alike: { readonly start: number; readonly end: number };
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

export type EditedFile = Pick<FileContent, 'bytes' | 'encoding' | 'bom' | 'guessed'> & { readonly text: string };

const fail = (fault: SpliceFault): SpliceResult => ({ ok: false, fault });

export function splice(file: EditedFile, edit: Edit, encode: Files['encode']): SpliceResult {
  const { oldText, newText } = edit;
  if (oldText === '') return fail({ code: 'empty' });
  if (oldText === newText) return fail({ code: 'equal' });
  const found = findPlaces(file.text, oldText, newText, edit.all);
  if (!found.ok) return fail(found);
  return splicePlaces(file, edit, found.places, encode);
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
  const texts: string[] = [];
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
    texts.push(text.slice(from, place.at), place.text);
    at += old.byteLength;
    copied = at;
    from = place.end;
  }
  parts.push(bytes.subarray(copied));
  texts.push(text.slice(from));
  const first = places[0] as Place;
  const changed = {
    bytes: Buffer.concat(parts),
    text: texts.join(''),
    count: places.length,
    at: first.at,
    length: first.text.length,
    alike: { start: first.at, end: text.length - (places.at(-1) as Place).end },
  };
  return { ok: true, changed };
}

/** The length of the part if exactly these bytes stand at the offset; else the text does not tell where they are. */
function sameBytes(part: Uint8Array | null, bytes: Uint8Array, at: number): number | null {
  if (part === null || at + part.byteLength > bytes.byteLength) return null;
  return Buffer.compare(part, bytes.subarray(at, at + part.byteLength)) === 0 ? part.byteLength : null;
}

/** First and last line, from 1, of the first replaced place as it is now. */
export function linesOf({ text, at, length }: Changed): { readonly first: number; readonly last: number } {
  const first = lineAt(text, at);
  const inside = text.slice(at, at + Math.max(0, length - 1));
  return { first, last: first + (inside.match(/\n/g)?.length ?? 0) };
}
