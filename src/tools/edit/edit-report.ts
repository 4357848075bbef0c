import { type Mask, maskedPart, unmasked } from '../text/masked-part.ts';
import { cutText, numberLines } from '../text/number-lines.ts';
import type { Changed, Near } from './splice.ts';

const contextLines = 2;
const excerptLinesMax = 12;
const excerptLineLength = 160;

/** The changed place as it is now, short: the model knows what it sent. `edits`: how many were made one after another. */
export function editReport(path: string, { near, count }: Changed, edits: number, mask: Mask = unmasked): string {
  const shown = linesOf(near, mask);
  const excerpt = numberLines(shown.lines, shown.first);
  if (edits > 1) return `Made ${edits} edits in ${path}; the last:\n${excerpt}`;
  const places = count === 1 ? '' : ` at ${count} places; the first:`;
  return `Edited ${path}${places}\n${excerpt}`;
}

function linesOf(
  { text, at, length, line }: Near,
  mask: Mask,
): { readonly first: number; readonly lines: readonly string[] } {
  const before = countLines(text.slice(0, at));
  const inside = countLines(text.slice(at, at + Math.max(0, length - 1)));
  const skipped = Math.max(0, before - contextLines);
  const height = Math.min(before - skipped + inside + 1 + contextLines, excerptLinesMax);
  const lines: string[] = [];
  let from = 0;
  for (let i = 0; i < skipped + height && from < text.length; i++) {
    const end = text.indexOf('\n', from);
    const one = text.slice(from, end === -1 ? undefined : end).replace(/\r$/, '');
    if (i >= skipped) lines.push(around(one, at - from, mask));
    if (end === -1) break;
    from = end + 1;
  }
  return { first: line - (before - skipped), lines };
}

const countLines = (text: string): number => text.match(/\n/g)?.length ?? 0;

/** A long line is shown around the change, where that lies in it. */
function around(line: string, at: number, mask: Mask): string {
  if (line.length <= excerptLineLength) return line;
  const start = at < excerptLineLength / 2 || at > line.length ? 0 : at - excerptLineLength / 4;
  const { length } = cutText(line.slice(start), excerptLineLength);
  return `${start > 0 ? '…' : ''}${maskedPart(line, start, start + length, mask).toWellFormed()}…`;
}
