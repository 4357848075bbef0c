/**
 * Finds the text to replace, literally, and says where. The only liberty taken is with line ends: a model is shown
 * lines, not line ends, so a line end in its text stands for the one that the file has at that place. Places that look
 * alike to the model count as several, whatever their line ends.
 */
import { asLines, endsWithCr } from '../text/number-lines.ts';

export interface Place {
  /** Offset in the content, in UTF-16 units. */
  readonly at: number;
  readonly end: number;
  /** What is to be there instead. */
  readonly text: string;
}
export type Finding =
  | { readonly ok: true; readonly places: readonly Place[] }
  | { readonly ok: false; readonly code: 'not-found' | 'no-change' }
  /** Lines, from 1, at most `ambiguousMax`. */
  | { readonly ok: false; readonly code: 'ambiguous'; readonly lines: readonly number[] };

export const ambiguousMax = 20;

export function findPlaces(content: string, oldText: string, newText: string, replaceAll: boolean): Finding {
  if (endsWithCr(content)) {
    const lf = (text: string) => text.replaceAll(/\r\n?/g, '\n');
    const found = findPlaces(asLines(content), lf(oldText), lf(newText), replaceAll);
    if (!found.ok) return found;
    return { ok: true, places: found.places.map((place) => ({ ...place, text: place.text.replaceAll('\n', '\r') })) };
  }
  const spans = oldText.includes('\n')
    ? findLines(content, oldText, replaceAll)
    : findText(content, oldText, replaceAll);
  if (spans.length === 0) return { ok: false, code: 'not-found' };
  if (spans.length > 1 && !replaceAll) {
    return { ok: false, code: 'ambiguous', lines: spans.map(({ at }) => lineAt(content, at)) };
  }
  const places = spans.map((span) => ({ ...span, text: fitted(content, span, oldText, newText) }));
  const isChange = places.some(({ at, end, text }) => end - at !== text.length || !content.startsWith(text, at));
  return isChange ? { ok: true, places } : { ok: false, code: 'no-change' };
}

/** Number of the line, from 1, in which an offset lies. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

interface Span {
  readonly at: number;
  readonly end: number;
}

/** Overlapping places count too when a single one is asked for: they make it ambiguous. */
function findText(content: string, text: string, all: boolean): Span[] {
  const spans: Span[] = [];
  for (let at = content.indexOf(text); at !== -1; at = content.indexOf(text, at + (all ? text.length : 1))) {
    spans.push({ at, end: at + text.length });
    if (!all && spans.length >= ambiguousMax) break;
  }
  return spans;
}

/** Looks for the longest line of the text and fits the others around it. */
function findLines(content: string, text: string, all: boolean): Span[] {
  const lines = text.split(/\r?\n/);
  const anchor = lines.reduce((best, line, i) => (line.length > (lines[best] ?? '').length ? i : best), 0);
  const sought = lines[anchor] ?? '';
  // Of blank lines only, the line ends themselves are what there is to look for.
  const needle = sought === '' ? '\n' : sought;
  const spans: Span[] = [];
  for (let hit = content.indexOf(needle); hit !== -1; hit = content.indexOf(needle, hit + 1)) {
    const span = sought === '' ? fitBlank(content, lines.length - 1, hit) : fitAround(content, lines, anchor, hit);
    const last = spans.at(-1);
    if (span === null || (all && last !== undefined && span.at < last.end)) continue;
    spans.push(span);
    if (!all && spans.length >= ambiguousMax) break;
  }
  return spans;
}

function fitAround(content: string, lines: readonly string[], anchor: number, hit: number): Span | null {
  let at = hit;
  for (let i = anchor - 1; i >= 0; i--) {
    const end = lineEndBefore(content, at);
    if (end === null) return null;
    const line = lines[i] ?? '';
    if (!content.startsWith(line, end - line.length) || end < line.length) return null;
    at = end - line.length;
  }
  const end = fitForward(content, lines.slice(anchor + 1), hit + (lines[anchor] ?? '').length);
  return end === null ? null : { at, end };
}

function fitForward(content: string, lines: readonly string[], from: number): number | null {
  let at = from;
  for (const line of lines) {
    const start = lineEndAfter(content, at);
    if (start === null || !content.startsWith(line, start)) return null;
    at = start + line.length;
  }
  return at;
}

/** So many line ends in a row, the first of which ends at `hit`. */
function fitBlank(content: string, count: number, hit: number): Span | null {
  let end = hit + 1;
  for (let i = 1; i < count; i++) {
    const next = lineEndAfter(content, end);
    if (next === null) return null;
    end = next;
  }
  return { at: lineEndBefore(content, hit + 1) ?? hit, end };
}

function lineEndBefore(content: string, at: number): number | null {
  if (at === 0 || content.charCodeAt(at - 1) !== LF) return null;
  return at > 1 && content.charCodeAt(at - 2) === CR ? at - 2 : at - 1;
}

function lineEndAfter(content: string, at: number): number | null {
  if (content.charCodeAt(at) === LF) return at + 1;
  return content.charCodeAt(at) === CR && content.charCodeAt(at + 1) === LF ? at + 2 : null;
}

const CR = 13;
const LF = 10;

/** The new text with the line ends that belong at the place. */
function fitted(content: string, { at, end }: Span, oldText: string, newText: string): string {
  if (!newText.includes('\n')) return newText;
  if (!oldText.includes('\n')) {
    return newText.includes('\r') || !isCrlfAt(content, at) ? newText : newText.replaceAll('\n', '\r\n');
  }
  const there = content.slice(at, end);
  // Written exactly as it stands there: then the line ends of the new text are meant as they are written, too.
  return there === oldText ? newText : keepEnds(there, newText);
}

/** Whether the line at the offset ends with CRLF; the last line goes by the one before. */
function isCrlfAt(content: string, at: number): boolean {
  const next = content.indexOf('\n', at);
  const lf = next === -1 ? content.lastIndexOf('\n', at) : next;
  return lf > 0 && content.charCodeAt(lf - 1) === CR;
}

/** Lines that stay keep their own line ends; new ones get that of the line in whose place they come. */
function keepEnds(there: string, newText: string): string {
  const ends = there.match(/\r?\n/g) ?? ['\n'];
  const [oldLines, newLines] = [there.split(/\r?\n/), newText.split(/\r?\n/)];
  const shared = Math.min(oldLines.length, newLines.length);
  let behind = 0;
  while (behind < shared && oldLines.at(-1 - behind) === newLines.at(-1 - behind)) behind++;
  const shift = newLines.length - oldLines.length;
  return newLines
    .map((line, i) => {
      if (i === newLines.length - 1) return line;
      const own = i >= newLines.length - behind ? i - shift : i;
      return line + (ends[Math.min(Math.max(own, 0), ends.length - 1)] ?? '\n');
    })
    .join('');
}
