import { cleanOutput } from './clean-output.ts';
import { preview } from './preview.ts';

/** A flood is cut to so many bytes for each character that may be shown, before it is read at all. */
const BYTES_EACH = 8;

/** Output as a model is shown it: clean, and within `limit` characters. The work does not grow with what is left out. */
export function shownOutput(bytes: Uint8Array, limit: number): { readonly text: string; readonly omitted: number } {
  const half = (limit * BYTES_EACH) / 2;
  if (bytes.length <= 2 * half) return preview(cleanOutput(bytes).trimEnd(), limit);
  const middle = bytes.length - 2 * half;
  const tail = cleanOutput(bytes.subarray(bytes.length - half)).trimEnd();
  const head = cleanOutput(bytes.subarray(0, half));
  const shown = preview(`${head}\n[… ${middle} bytes left out …]\n${tail}`, limit, middle);
  return { text: shown.text, omitted: Math.max(shown.omitted, middle) };
}
