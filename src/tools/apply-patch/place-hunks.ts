/**
 * Where the parts of a patch belong in a file. A part is placed only where all its old lines stand, as they are and one
 * after another; the line number of a diff chooses between several such places and never makes one.
 */
import type { Place } from '../edit/find-places.ts';
import type { Hunk } from './patch.ts';

interface Line {
  readonly text: string;
  readonly at: number;
  /** Behind its line end. */
  readonly end: number;
  readonly lineEnd: string;
}
export interface Placed extends Place {
  /** First line of the part in the file, from 1. */
  readonly line: number;
}
export type Placing =
  | { readonly ok: true; readonly places: readonly Placed[] }
  /** `hunk` counts from 1. `lines`: where it would fit, if there are several places. */
  | {
      readonly ok: false;
      readonly hunk: number;
      readonly why: 'missing' | 'no-head' | 'empty';
      readonly wanted: string;
    }
  /** Its old lines stand there, but before those of the part before (`above`), or not where the file ends (`not-at-end`). */
  | {
      readonly ok: false;
      readonly hunk: number;
      readonly why: 'ambiguous' | 'above' | 'not-at-end';
      readonly lines: readonly number[];
    };

export function placeHunks(content: string, hunks: readonly Hunk[]): Placing {
  const lines = linesOf(content);
  const places: Placed[] = [];
  let from = 0;
  for (const [i, asWritten] of hunks.entries()) {
    let head = from;
    for (const wanted of asWritten.behind) {
      const next = headBehind(lines, wanted, head);
      if (next === null) return { ok: false, hunk: i + 1, why: 'no-head', wanted };
      head = next;
    }
    const hunk = withoutStrayBlanks(lines, asWritten, head);
    const old = oldLines(hunk);
    const isPure = old.length === 0;
    if (isPure && !hunk.atEnd && hunk.behind.length === 0 && lines.length > 0) {
      return { ok: false, hunk: i + 1, why: 'empty', wanted: '' };
    }
    const fits = isPure
      ? [hunk.atEnd || lines.length === 0 ? lines.length : head]
      : allFits(lines, old, head, hunk.atEnd);
    const chosen = fits.length === 1 ? fits[0] : fits.find((index) => index + 1 === hunk.line);
    if (chosen === undefined) {
      const above = fits.length === 0 && i > 0 ? allFits(lines, old, 0, hunk.atEnd) : [];
      const inside = fits.length + above.length === 0 && hunk.atEnd ? allFits(lines, old, head, false) : [];
      if (fits.length + above.length + inside.length === 0) {
        return { ok: false, hunk: i + 1, why: 'missing', wanted: old.join('\n') };
      }
      const why = above.length > 0 ? 'above' : inside.length > 0 ? 'not-at-end' : 'ambiguous';
      const found = { above, 'not-at-end': inside, ambiguous: fits }[why];
      return { ok: false, hunk: i + 1, why, lines: found.slice(0, 20).map((index) => index + 1) };
    }
    const place = placeOf(lines, content, hunk, chosen);
    if (place !== null) places.push({ ...place, line: chosen + 1 });
    from = chosen + old.length;
  }
  return { ok: true, places };
}

const oldLines = (hunk: Hunk): readonly string[] =>
  hunk.lines.filter(({ sign }) => sign !== '+').map(({ text }) => text);

/** The hunk with as many of the empty lines at its end as the file has there; the others only set it apart. */
function withoutStrayBlanks(lines: readonly Line[], hunk: Hunk, from: number): Hunk {
  for (let stray = 0; stray <= hunk.blanks; stray++) {
    const cut = stray === 0 ? hunk : { ...hunk, lines: hunk.lines.slice(0, -stray) };
    const old = oldLines(cut);
    // New lines alone belong where the head says, not before the next empty line.
    const isOnlyBlank = old.length > 0 && old.length === hunk.blanks - stray;
    if (!isOnlyBlank && (old.length === 0 || allFits(lines, old, from, hunk.atEnd).length > 0)) return cut;
  }
  return hunk;
}

function linesOf(content: string): Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < content.length; ) {
    const lf = content.indexOf('\n', at);
    const end = lf === -1 ? content.length : lf + 1;
    const lineEnd = lf === -1 ? '' : lf > at && content[lf - 1] === '\r' ? '\r\n' : '\n';
    lines.push({ text: content.slice(at, end - lineEnd.length), at, end, lineEnd });
    at = end;
  }
  return lines;
}

function headBehind(lines: readonly Line[], head: string, from: number): number | null {
  const index = lines.findIndex(({ text }, i) => i >= from && text.trim() === head);
  return index === -1 ? null : index + 1;
}

function allFits(lines: readonly Line[], old: readonly string[], from: number, atEnd: boolean): number[] {
  const fits: number[] = [];
  const last = lines.length - old.length;
  for (let i = atEnd ? Math.max(from, last) : from; i <= last && fits.length <= 20; i++) {
    if (old.every((text, j) => lines[i + j]?.text === text)) fits.push(i);
  }
  return fits;
}

/** The lines that really change; those around them keep their bytes, line ends included. Null where none does. */
function placeOf(lines: readonly Line[], content: string, hunk: Hunk, index: number): Place | null {
  const old = oldLines(hunk);
  const fresh = hunk.lines.filter(({ sign }) => sign !== '-').map(({ text }) => text);
  const opens = hunk.open !== null && hunk.open.before !== hunk.open.after;
  let [start, behind] = [0, 0];
  const shared = Math.min(old.length, fresh.length) - (opens ? 1 : 0);
  while (start < shared && old[start] === fresh[start]) start++;
  while (!opens && behind < shared - start && old.at(-1 - behind) === fresh.at(-1 - behind)) behind++;
  if (start + behind === old.length && start + behind === fresh.length) return null;
  const taken = lines.slice(index + start, index + old.length - behind);
  const added = fresh.slice(start, fresh.length - behind);
  const at = lines[index + start]?.at ?? content.length;
  const end = taken.at(-1)?.end ?? at;
  // An open last line has no line end to tell: the one before it has.
  const near = [-1, -2, 0].map((away) => lines[index + start + away]?.lineEnd).find(Boolean) ?? '\n';
  const reachesEnd = end === content.length;
  const wasOpen = content !== '' && !content.endsWith('\n');
  const staysOpen = reachesEnd && (hunk.open?.after ?? wasOpen);
  const texts = added.map((text, i) => {
    const isLast = i === added.length - 1;
    return isLast && staysOpen ? text : text + (taken[i]?.lineEnd || near);
  });
  // Behind an open last line, its missing line end comes first.
  const lead = at === content.length && wasOpen && taken.length === 0 ? near : '';
  // A last line that goes leaves the one before as open as it was, where the patch says nothing else.
  const before = lines[index + start - 1];
  const cut = wasOpen && staysOpen && added.length === 0 && before !== undefined ? before.lineEnd.length : 0;
  return { at: at - cut, end, text: lead + texts.join('') };
}
