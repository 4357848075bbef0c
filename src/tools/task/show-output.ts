/** Output as the model is shown it: both ends of the whole, or a part by byte offsets. Nothing is left out unsaid. */
import type { OutputPart } from '#workspace';
import { cleanOutput } from '../text/clean-output.ts';
import { preview } from '../text/preview.ts';

/** Characters of a preview, and bytes of a part. */
const SHOWN_MAX = 30_000;
const HEAD_BYTES = 64 * 1024;

export type ReadPart = (from: number, bytesMax: number) => Promise<OutputPart>;

export async function showOutput(read: ReadPart, offset: number | undefined): Promise<string> {
  if (offset !== undefined) return showPart(await read(offset, SHOWN_MAX), offset);
  const head = await read(0, HEAD_BYTES);
  if (head.size <= HEAD_BYTES) {
    const shown = preview(cleanOutput(head.bytes).trimEnd(), SHOWN_MAX);
    return shown.omitted === 0 ? orNothing(shown.text) : `${shown.text}\n(any part: give an offset below ${head.size})`;
  }
  const tail = await read(head.size - HEAD_BYTES, HEAD_BYTES);
  const first = cleanOutput(head.bytes).slice(0, SHOWN_MAX / 3);
  const last = cleanOutput(tail.bytes).trimEnd();
  const end = last.slice(-((SHOWN_MAX * 2) / 3));
  return `${first}\n[… the middle of ${head.size} bytes is left out: give an offset to read it …]\n${end}`;
}

function showPart({ bytes, size }: OutputPart, offset: number): string {
  if (offset >= size) return `(there are ${size} bytes; nothing from ${offset} on)`;
  const whole = withoutHalves(bytes, offset + bytes.length < size);
  const end = offset + whole.length;
  const next = end < size ? `; go on with offset ${end}` : '';
  return `${cleanOutput(whole)}\n(bytes ${offset} to ${end} of ${size}${next})`;
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
