/** Output as the model is shown it: both ends of the whole, or a part by byte offsets. Nothing is left out unsaid. */
import type { OutputPart } from '#workspace';
import { cleanOutput } from '../text/clean-output.ts';
import { contextMax, type Mask, maskedBetween, maskedPart } from '../text/masked-part.ts';
import { preview } from '../text/preview.ts';

/** Characters of a preview, and bytes of a part. */
const SHOWN_MAX = 30_000;
const HEAD_BYTES = 64 * 1024;

export type ReadPart = (from: number, bytesMax: number) => Promise<OutputPart>;

export async function showOutput(read: ReadPart, offset: number | undefined, mask: Mask): Promise<string> {
  if (offset !== undefined) return showPart(read, offset, mask);
  const head = await read(0, HEAD_BYTES);
  if (head.size <= HEAD_BYTES) {
    const shown = preview(mask(cleanOutput(head.bytes).trimEnd()), SHOWN_MAX);
    return shown.omitted === 0 ? orNothing(shown.text) : `${shown.text}\n(any part: give an offset below ${head.size})`;
  }
  const tail = await read(head.size - HEAD_BYTES, HEAD_BYTES);
  const first = maskedPart(cleanOutput(head.bytes), 0, SHOWN_MAX / 3, mask);
  const last = cleanOutput(tail.bytes).trimEnd();
  const end = maskedPart(last, Math.max(0, last.length - (SHOWN_MAX * 2) / 3), last.length, mask);
  return `${first}\n[… the middle of ${head.size} bytes is left out: give an offset to read it …]\n${end}`;
}

async function showPart(read: ReadPart, offset: number, mask: Mask): Promise<string> {
  const from = Math.max(0, offset - contextMax);
  const { bytes, size } = await read(from, offset - from + SHOWN_MAX + contextMax);
  if (offset >= size) return `(there are ${size} bytes; nothing from ${offset} on)`;
  const whole = withoutHalves(bytes.subarray(offset - from, offset - from + SHOWN_MAX), size - offset > SHOWN_MAX);
  const end = offset + whole.length;
  const next = end < size ? `; go on with offset ${end}` : '';
  const before = cleanOutput(sameState(bytes.subarray(0, offset - from), 'last'));
  const after = cleanOutput(sameState(bytes.subarray(end - from), 'first'));
  return `${maskedBetween(before, cleanOutput(whole), after, mask)}\n(bytes ${offset} to ${end} of ${size}${next})`;
}

/** Surroundings up to where a line overwrites itself: what stands beyond that is not in one line with the part. */
function sameState(bytes: Uint8Array, which: 'first' | 'last'): Uint8Array {
  const isState = (at: number) => bytes[at] === 0x0d && bytes[at + 1] !== 0x0a;
  if (which === 'first') {
    const end = bytes.findIndex((_, at) => isState(at));
    return end < 0 ? bytes : bytes.subarray(0, end);
  }
  return bytes.subarray(bytes.findLastIndex((_, at) => isState(at)) + 1);
}

/** A part that is cut ends before a character that does not fit as a whole, so that the next part begins with it. */
function withoutHalves(bytes: Uint8Array, isCut: boolean): Uint8Array {
  if (!isCut) return bytes;
  for (let back = 1; back <= 3 && back < bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte < 0xc0) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return wanted > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

const orNothing = (text: string): string => (text.trim() === '' ? '(no output)' : text);
