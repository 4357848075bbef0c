/**
 * UTF-16 that does not say so by a byte order mark. It is taken for text only where nothing speaks against it: what is
 * wrongly shown as text would be edited as text.
 */

/** Bytes that are looked at before the whole is. */
const SAMPLE_BYTES = 8 * 1024;
const BYTES_MIN = 8;
/** Of the units, how many have a NUL byte: nearly all, where most is Latin. Lists of names that NUL ends have fewer. */
const NUL_SHARE_MIN = 0.7;
const PRINTABLE_SHARE_MIN = 0.98;

export type Utf16 = 'utf-16le' | 'utf-16be';

/** Which of the two it can be, by where its NUL bytes are: all on one side, and many. Null where it is neither. */
export function bareUtf16(bytes: Uint8Array, partial: boolean): Utf16 | null {
  if (bytes.byteLength < BYTES_MIN || (bytes.byteLength % 2 === 1 && !partial)) return null;
  const sample = nulSide(bytes.subarray(0, SAMPLE_BYTES));
  return sample === null || bytes.byteLength <= SAMPLE_BYTES ? sample : nulSide(bytes) === sample ? sample : null;
}

function nulSide(bytes: Uint8Array): Utf16 | null {
  let [first, second] = [0, 0];
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at + 1)) {
    if (at % 2 === 0) first++;
    else second++;
    if (first > 0 && second > 0) return null;
  }
  if (first + second < (bytes.byteLength / 2) * NUL_SHARE_MIN) return null;
  return second > 0 ? 'utf-16le' : 'utf-16be';
}

/** What text is made of; private and unassigned characters, and controls but white space, backspace and escape, are not. */
export function isReadable(text: string): boolean {
  if (/[\0-\x07\x0e-\x1a\x1c-\x1f\x7f\ufffe\uffff]/.test(text)) return false;
  let odd = 0;
  for (const _ of text.matchAll(/[\p{Cn}\p{Co}\x80-\x9f]/gu)) odd++;
  return odd <= text.length * (1 - PRINTABLE_SHARE_MIN);
}
