import { cleanOutput } from './clean-output.ts';
import { contextMax, type Mask, maskedBetween, unmasked } from './masked-part.ts';
import { preview } from './preview.ts';

/** A flood is cut to so many bytes for each character that may be shown, before it is read at all. */
const BYTES_EACH = 8;

/**
 * Output as a model is shown it: clean, without secrets, and within `limit` characters. The work does not grow with what
 * is left out. `size`: of all that was printed, where `bytes` are its first and its last half without the middle.
 */
export function shownOutput(
  bytes: Uint8Array,
  limit: number,
  mask: Mask = unmasked,
  size = bytes.length,
): { readonly text: string; readonly omitted: number } {
  const half = (limit * BYTES_EACH) / 2;
  if (bytes.length <= 2 * half) return preview(mask(cleanOutput(bytes).trimEnd()), limit);
  const middle = size - 2 * half;
  const [headEnd, tailStart] = [half, bytes.length - half];
  const part = (from: number, to: number) => cleanOutput(bytes.subarray(Math.max(0, from), to));
  const tail = maskedBetween(
    part(tailStart - contextMax, tailStart),
    part(tailStart, bytes.length).trimEnd(),
    '',
    mask,
  );
  const head = maskedBetween('', part(0, headEnd), part(headEnd, headEnd + contextMax), mask);
  const shown = preview(`${head}\n[… ${middle} bytes left out …]\n${tail}`, limit, middle);
  return { text: shown.text, omitted: Math.max(shown.omitted, middle) };
}
