/**
 * Finds the text to replace, literally, and says where. The only liberty taken is with line ends: a model is shown
 * lines, not line ends, so `\n` in its text also stands for the line end that the file uses.
 */
export interface Splice {
  readonly text: string;
  readonly count: number;
  /** First and last line (from 1) of the first replaced place, as they are afterwards. */
  readonly firstLine: number;
  readonly lastLine: number;
}
export type SpliceResult =
  | ({ readonly ok: true } & Splice)
  | { readonly ok: false; readonly code: 'not-found' }
  | { readonly ok: false; readonly code: 'ambiguous'; readonly lines: readonly number[] }
  | { readonly ok: false; readonly code: 'no-change' };

export function spliceText(content: string, oldText: string, newText: string, replaceAll: boolean): SpliceResult {
  const fitted = fitLineEnds(content, oldText, newText);
  if (fitted === null) return { ok: false, code: 'not-found' };
  if (fitted.old === fitted.new) return { ok: false, code: 'no-change' };
  const places = findPlaces(content, fitted.old, replaceAll);
  if (places.length > 1 && !replaceAll) {
    return { ok: false, code: 'ambiguous', lines: places.map((place) => lineAt(content, place)) };
  }
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(content.slice(from, place), fitted.new);
    from = place + fitted.old.length;
  }
  parts.push(content.slice(from));
  const text = parts.join('');
  const start = places[0] ?? 0;
  const firstLine = lineAt(content, start);
  const lastLine = lineAt(text, Math.max(start, start + fitted.new.length - 1));
  return { ok: true, text, count: places.length, firstLine, lastLine };
}

/** The texts with the line ends under which the old one occurs in the file; null when it occurs under none. */
function fitLineEnds(content: string, oldText: string, newText: string): { old: string; new: string } | null {
  const crlf = (text: string) => text.replaceAll(/\r?\n/g, '\r\n');
  const lf = (text: string) => text.replaceAll('\r\n', '\n');
  const usesCrlf = content.includes('\r\n');
  if (content.includes(oldText)) {
    // A text without a line end of its own tells nothing; the new lines then follow the file, if the file is of one mind.
    const follow = usesCrlf && !oldText.includes('\n') && !/(^|[^\r])\n/.test(content);
    return { old: oldText, new: follow ? crlf(newText) : newText };
  }
  if (!oldText.includes('\n')) return null;
  if (usesCrlf && content.includes(crlf(oldText))) return { old: crlf(oldText), new: crlf(newText) };
  if (content.includes(lf(oldText))) return { old: lf(oldText), new: lf(newText) };
  return null;
}

/** Offsets of the text. Overlapping ones count too when a single place is asked for: they make it ambiguous. */
function findPlaces(content: string, text: string, replaceAll: boolean): number[] {
  const places: number[] = [];
  const step = replaceAll ? text.length : 1;
  for (let at = content.indexOf(text); at !== -1; at = content.indexOf(text, at + step)) {
    places.push(at);
    if (!replaceAll && places.length >= 20) break;
  }
  return places;
}

function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
