/** Bytes shown as `\xNN` in one text; what is broken beyond that is no text in another encoding, but data. */
const ESCAPES_MAX = 4_000;

/**
 * Bytes as text: UTF-8, and what is none as `\xNN`, so that text of another encoding can still be told and found again.
 * Every line is decoded by itself, whatever encoding the others have.
 */
export function decodeOutput(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (!text.includes('\ufffd')) return text;
  const pieces: string[] = [];
  let from = 0;
  let escapes = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (++escapes > ESCAPES_MAX) return text;
    pieces.push(decoded(bytes, from, at), `\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`);
    from = ++at;
  }
  return pieces.join('') + decoded(bytes, from, bytes.length);
}

const decoded = (bytes: Uint8Array, from: number, to: number): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(from, to));

/** Length of the character that starts here; 0 where none does. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || at + length > bytes.length) return 0;
  const second = bytes[at + 1] ?? 0;
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (let next = 2; next < length; next++) {
    const byte = bytes[at + next] ?? 0;
    if (byte < 0x80 || byte > 0xbf) return 0;
  }
  return length;
}
