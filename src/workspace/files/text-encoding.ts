/**
 * Bytes to text and back, without ever changing a byte that was not edited.
 *
 * 1. A decoding is accepted only if encoding its text gives the same bytes again.
 * 2. UTF-8 is decided by strict validity of the whole content, never by a look at its head.
 * 3. The byte order mark is not part of the text; it is put back when encoding.
 */
import { isAscii } from 'node:buffer';
import type { FileContent } from '../contract.ts';
import { bareUtf16, isReadable } from './bare-utf16.ts';

export interface Decoded {
  readonly text: string;
  readonly encoding: string;
  readonly bom: boolean;
  /** The encoding is only the likeliest one: the bytes do not prove it. */
  readonly guessed?: boolean;
  readonly isPlain?: boolean;
}

interface Codec {
  decode(bytes: Uint8Array, encoding: string): string;
  encode(text: string, encoding: string): Uint8Array;
  exists(encoding: string): boolean;
}

/** From this confidence on the detected encoding counts as known. */
const SURE_PERCENT = 80;

const marks32 = { 'utf-32le': [0xff, 0xfe, 0, 0], 'utf-32be': [0, 0, 0xfe, 0xff] } as const;

/** Filled at the first file that is not Unicode: most workspaces never need it. */
let foreign: Codec | null = null;

/**
 * Text of the bytes, or null when they are no text. `partial`: the bytes are the head of a longer file. `likely`: the
 * encoding of an earlier state of the file, tried before one is guessed.
 */
export async function decodeText(bytes: Uint8Array, partial = false, likely?: string): Promise<Decoded | null> {
  if (isAscii(bytes) && !bytes.includes(0)) {
    return {
      text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'),
      encoding: 'utf-8',
      bom: false,
      isPlain: true,
    };
  }
  if (startsWith(bytes, marks32['utf-32le'])) return decodeUtf32(bytes, 'utf-32le', partial);
  if (startsWith(bytes, marks32['utf-32be'])) return decodeUtf32(bytes, 'utf-32be', partial);
  if (startsWith(bytes, [0xff, 0xfe])) return decodeUtf16(bytes, 'utf-16le', partial);
  if (startsWith(bytes, [0xfe, 0xff])) return decodeUtf16(bytes, 'utf-16be', partial);
  if (bytes.includes(0)) return decodeBareUtf16(bytes, partial);
  const bom = startsWith(bytes, [0xef, 0xbb, 0xbf]);
  const text = strict('utf-8', bom ? bytes.subarray(3) : bytes, partial);
  if (text !== null) return { text, encoding: 'utf-8', bom };
  return hasControlBytes(bytes) ? null : decodeForeign(bytes, partial, likely);
}

/** Bytes of the text as the given file was encoded; null when a character cannot be expressed there. */
export function encodeText(text: string, like: Pick<FileContent, 'encoding' | 'bom'>): Uint8Array | null {
  switch (like.encoding) {
    case 'utf-8':
      return text.isWellFormed() ? withMark(like.bom, [0xef, 0xbb, 0xbf], Buffer.from(text, 'utf8')) : null;
    case 'utf-16le':
      return text.isWellFormed() ? withMark(like.bom, [0xff, 0xfe], Buffer.from(text, 'utf16le')) : null;
    case 'utf-16be':
      return text.isWellFormed() ? withMark(like.bom, [0xfe, 0xff], Buffer.from(text, 'utf16le').swap16()) : null;
    case 'utf-32le':
    case 'utf-32be':
      if (foreign === null || !text.isWellFormed()) return null;
      return withMark(like.bom, marks32[like.encoding], Buffer.from(foreign.encode(text, like.encoding)));
    default: {
      if (foreign === null || !foreign.exists(like.encoding)) return null;
      const bytes = foreign.encode(text, like.encoding);
      return foreign.decode(bytes, like.encoding) === text ? bytes : null;
    }
  }
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be', partial: boolean): Decoded | null {
  const text = strict(encoding, bytes.subarray(2), partial);
  return text === null || text.includes('\0') ? null : { text, encoding, bom: true };
}

function decodeBareUtf16(bytes: Uint8Array, partial: boolean): Decoded | null {
  const encoding = bareUtf16(bytes, partial);
  const text = encoding === null ? null : strict(encoding, bytes, partial);
  return encoding === null || text === null || !isReadable(text) ? null : { text, encoding, bom: false };
}

/** UTF-16 and a NUL character begin with the same bytes, but no text has that; what does not fit is no text. */
async function decodeUtf32(
  bytes: Uint8Array,
  encoding: 'utf-32le' | 'utf-32be',
  partial: boolean,
): Promise<Decoded | null> {
  foreign ??= await loadCodec();
  const body = bytes.subarray(4, bytes.byteLength - (partial ? bytes.byteLength % 4 : 0));
  const text = foreign.decode(body, encoding);
  const whole = !text.includes('\0') && Buffer.compare(foreign.encode(text, encoding), body) === 0;
  return whole ? { text, encoding, bom: true } : null;
}

function strict(encoding: string, bytes: Uint8Array, partial: boolean): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: partial });
  } catch {
    return null;
  }
}

async function decodeForeign(bytes: Uint8Array, partial: boolean, likely: string | undefined): Promise<Decoded | null> {
  const { analyse } = await import('chardet');
  foreign ??= await loadCodec();
  const matches = analyse(bytes.subarray(0, 256 * 1024));
  const names = matches.map((match) => match.name.toLowerCase());
  const sure = matches[0] !== undefined && matches[0].confidence >= SURE_PERCENT ? names[0] : likely;
  // Single-byte Latin comes last: it fits nearly everything, so it proves nothing, but it keeps every byte.
  const first = likely === undefined ? [] : [likely];
  for (const encoding of new Set([...first, ...names, 'windows-1252', 'iso-8859-1'])) {
    if (encoding.startsWith('utf') || encoding === 'ascii' || !foreign.exists(encoding)) continue;
    const text = foreign.decode(bytes, encoding);
    const whole = !text.includes('\u{fffd}') && Buffer.compare(foreign.encode(text, encoding), bytes) === 0;
    if (whole || partial) return { text, encoding, bom: false, ...(encoding === sure ? {} : { guessed: true }) };
  }
  return null;
}

/** In which most texts that are no Unicode were written. */
const otherEncodings = [
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'windows-1251',
  'koi8-r',
  'windows-1253',
  'windows-1250',
  'windows-1252',
];

/** All texts that the bytes may be: of each the same bytes come back. */
export async function textReadings(bytes: Uint8Array): Promise<readonly { text: string; encoding: string }[]> {
  foreign ??= await loadCodec();
  const codec = foreign;
  return otherEncodings.flatMap((encoding) => {
    const text = codec.decode(bytes, encoding);
    const whole = !text.includes('\u{fffd}') && Buffer.compare(codec.encode(text, encoding), bytes) === 0;
    return whole ? [{ text, encoding }] : [];
  });
}

async function loadCodec(): Promise<Codec> {
  const iconv = (await import('iconv-lite')).default;
  const plain = { stripBOM: false };
  return {
    decode: (bytes, encoding) => iconv.decode(Buffer.from(bytes), encoding, plain),
    encode: (text, encoding) => iconv.encode(text, encoding, { addBOM: false }),
    exists: (encoding) => iconv.encodingExists(encoding),
  };
}

/** Control bytes that no text file has; backspace, escape and the white space ones are common in logs. */
function hasControlBytes(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < 0x08 || (byte > 0x0d && byte < 0x1b) || (byte > 0x1b && byte < 0x20));
}

const startsWith = (bytes: Uint8Array, mark: readonly number[]): boolean => mark.every((b, i) => bytes[i] === b);

const withMark = (bom: boolean, mark: readonly number[], body: Buffer): Uint8Array =>
  bom ? Buffer.concat([Buffer.from(mark), body]) : body;
