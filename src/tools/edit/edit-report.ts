import { cutText, numberLines } from '../text/number-lines.ts';
import { type Changed, linesOf } from './splice.ts';

const contextLines = 2;
const excerptLinesMax = 12;
const excerptLineLength = 160;

/** The changed place as it is now, short: the model knows what it sent. `edits`: how many were made one after another. */
export function editReport(path: string, changed: Changed, edits: number): string {
  const { first, last } = linesOf(changed);
  const from = Math.max(1, first - contextLines);
  const wanted = Math.min(last + contextLines - from + 1, excerptLinesMax);
  const excerpt = numberLines(linesAt(changed, first - from, wanted), from);
  if (edits > 1) return `Made ${edits} edits in ${path}; the last:\n${excerpt}`;
  const places = changed.count === 1 ? '' : ` at ${changed.count} places; the first:`;
  return `Edited ${path}${places}\n${excerpt}`;
}

/** So many lines, beginning so many lines before the changed place; a large text is not taken apart for them. */
function linesAt({ text, at }: Changed, before: number, count: number): string[] {
  let from = text.lastIndexOf('\n', at - 1) + 1;
  if (at === 0) from = 0;
  for (let i = 0; i < before; i++) from = from < 2 ? 0 : text.lastIndexOf('\n', from - 2) + 1;
  const lines: string[] = [];
  while (lines.length < count && from < text.length) {
    const end = text.indexOf('\n', from);
    const line = text.slice(from, end === -1 ? undefined : end).replace(/\r$/, '');
    lines.push(around(line, at - from));
    if (end === -1) break;
    from = end + 1;
  }
  return lines;
}

/** A long line is shown around the change, where that lies in it. */
function around(line: string, at: number): string {
  if (line.length <= excerptLineLength) return line;
  if (at < excerptLineLength / 2 || at > line.length) return `${cutText(line, excerptLineLength)}…`;
  return `…${cutText(line.slice(at - excerptLineLength / 4).toWellFormed(), excerptLineLength)}…`;
}
