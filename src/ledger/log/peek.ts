/** What the bytes of a payload say before they are parsed: its type and its time. */
import { factTypes } from '#kernel';

/** A payload that does not begin as we write them: it must be decoded to be known. */
export const UNREAD = 255;

const names = Object.keys(factTypes);
const codes = new Map(names.map((name, code) => [name, code]));

/** Number of a type in an index; `UNREAD` for one that this version does not know. */
export const codeOf = (type: string): number => codes.get(type) ?? UNREAD;

const COMMA = 0x2c;
const QUOTE = 0x22;
const OPEN = 0x5b;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Types by a number made of their letters; the letters are compared as well. */
const byLetters = new Map<number, { readonly code: number; readonly letters: Buffer }>();
for (const [code, name] of names.entries())
  byLetters.set(lettersOf(Buffer.from(name), 0, name.length), { code, letters: Buffer.from(name) });

function lettersOf(bytes: Buffer, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i++) sum = (Math.imul(sum, 31) + (bytes[i] as number)) | 0;
  return sum;
}

/** Offset behind `[seq,` of a payload; 0 where it does not begin like that. */
function timeAt(bytes: Buffer, payload: number): number {
  if (bytes[payload] !== OPEN) return 0;
  const end = digitsEnd(bytes, payload + 1);
  return end > payload + 1 && bytes[end] === COMMA ? end + 1 : 0;
}

function digitsEnd(bytes: Buffer, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at++;
  return at;
}

/** The number of the type of the payload at `payload`. */
export function peekCode(bytes: Buffer, payload: number): number {
  const time = timeAt(bytes, payload);
  if (time === 0) return UNREAD;
  const comma = digitsEnd(bytes, time);
  if (comma === time || bytes[comma] !== COMMA || bytes[comma + 1] !== QUOTE) return UNREAD;
  const from = comma + 2;
  let sum = 0;
  let at = from;
  for (; bytes[at] !== QUOTE; at++) {
    if (at - from > 64) return UNREAD;
    sum = (Math.imul(sum, 31) + (bytes[at] as number)) | 0;
  }
  const known = byLetters.get(sum);
  if (known === undefined || known.letters.length !== at - from) return UNREAD;
  for (let i = 0; i < known.letters.length; i++) if (known.letters[i] !== bytes[from + i]) return UNREAD;
  return known.code;
}

/** The time that the payload at `payload` holds; null where only decoding it tells. */
export function peekTime(bytes: Buffer, payload: number): number | null {
  const time = timeAt(bytes, payload);
  const end = time === 0 ? 0 : digitsEnd(bytes, time);
  return end > time ? Number(bytes.toString('latin1', time, end)) : null;
}
