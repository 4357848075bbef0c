import { type Mask, maskedPart, unmasked } from '../text/masked-part.ts';
import { cutText, numberLines, splitLines } from '../text/number-lines.ts';

export const readLimits = {
  /** Lines of one call. */
  lines: 2000,
  /** Characters of one line. */
  lineLength: 2000,
  /** Characters of one result. */
  total: 60_000,
} as const;

export interface Page {
  readonly text: string;
  /** Lines of the whole file. */
  readonly lines: number;
}

/**
 * Part of a file with line numbers, from line `offset` (from 1) on, at most `limit` lines. What is left out is said,
 * together with the way to see it. Null when the offset lies behind the last line.
 */
export function page(content: string, offset: number, limit: number, mask: Mask = unmasked): Page | null {
  const lines = splitLines(content);
  if (lines.length === 0) return { text: '(the file is empty)', lines: 0 };
  if (offset > lines.length) return null;
  const shown: string[] = [];
  let size = 0;
  let longLines = 0;
  const first = content.includes('PRIVATE KEY-----') ? beginOfKey(lines, offset) : offset;
  for (const line of lines.slice(first - 1, offset - 1 + Math.min(limit, readLimits.lines))) {
    const cut = cutText(line, readLimits.lineLength);
    size += cut.length + 8;
    if (size > readLimits.total && shown.length > 0) break;
    if (cut.length < line.length) longLines++;
    const left = line.length - cut.length;
    shown.push(left > 0 ? `${maskedPart(line, 0, cut.length, mask)}… (${left} more characters)` : cut);
  }
  const last = first + shown.length - 1;
  const notes: string[] = [];
  if (last < lines.length) notes.push(`(lines ${first}-${last} of ${lines.length}; go on with offset ${last + 1})`);
  if (longLines > 0) notes.push('(long lines are cut; find text in them with Grep)');
  return { text: [numberLines(shown, first), ...notes].join('\n'), lines: lines.length };
}

/** A private key is known by its first line, and hidden with it: a part of one is shown from there on. */
function beginOfKey(lines: readonly string[], offset: number): number {
  for (let at = offset - 1; at > 0; at--) {
    const line = lines[at - 1] ?? '';
    if (/-----END [A-Z ]*PRIVATE KEY-----/.test(line)) return offset;
    if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(line)) return at;
  }
  return offset;
}
