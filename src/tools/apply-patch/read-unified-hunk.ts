/**
 * A part of a unified diff. Its head counts its lines, and where the count fits it decides: a line such as `--- x`
 * inside is not taken for the next file. Writers who count in their heads are often wrong; then the part is as long as
 * its lines are, if these leave no doubt where it ends, and its line number is believed no more than its counts.
 */
import { isEnvelope, isSignature } from './mail-lines.ts';
import type { Hunk, HunkLine } from './patch.ts';
import { blanksAtEnd, hunkLine, PatchFault, type PatchReader } from './patch-reader.ts';

interface Head {
  readonly text: string;
  readonly line: number;
  /** Null where it does not count. */
  readonly counts: { readonly before: number; readonly after: number } | null;
}

/** `number`: which part of its file it is, from 1. */
export function readUnifiedHunk(reader: PatchReader, number: number): Hunk {
  const head = readHead(reader.next());
  const counted = head.counts === null ? null : countedLength(reader, head.counts);
  if (counted !== null) return { ...readLines(reader, counted), line: head.line, blanks: 0 };
  const { length, blanks } = writtenLength(reader, `part ${number}, ${head.text}`);
  return { ...readLines(reader, length), line: null, blanks, recounted: true };
}

function readHead(text: string): Head {
  const match = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(text);
  if (match !== null) {
    const [shown, line, before = '1', after = '1'] = match;
    return { text: shown, line: Number(line), counts: { before: Number(before), after: Number(after) } };
  }
  if (/^@@( (\.\.\. )?@@)?\s*$/.test(text)) return { text: text.trim(), line: 0, counts: null };
  throw new PatchFault(
    'a part of a unified diff begins with @@ -line,count +line,count @@; or use *** Begin Patch, where @@ needs no counts',
  );
}

/** How many lines the counts take, or null where the lines say otherwise. */
function countedLength(reader: PatchReader, counts: { before: number; after: number }): number | null {
  let { before, after } = counts;
  let length = 0;
  while (before > 0 || after > 0) {
    const text = reader.peek(length);
    if (text === undefined || !isBody(text)) return null;
    if (!text.startsWith('\\')) {
      const { sign } = hunkLine(text);
      if (sign !== '+') before--;
      if (sign !== '-') after--;
    }
    if (before < 0 || after < 0) return null;
    length++;
  }
  if (reader.peek(length)?.startsWith('\\') === true) length++;
  let behind = length;
  while (reader.peek(behind) === '') behind++;
  const next = reader.peek(behind);
  const goesOn = next !== undefined && next !== '' && isBody(next) && !isNextFile(reader, behind);
  return goesOn && !isSignature(reader, behind) ? null : length;
}

/** How many lines there are up to what can only be the next part, the next file or the end. */
function writtenLength(reader: PatchReader, name: string): { length: number; blanks: number } {
  const texts: string[] = [];
  for (let text = reader.peek(); text !== undefined; text = reader.peek(texts.length)) {
    const at = texts.length;
    if (text.startsWith('@@') || text.startsWith('diff ') || isEnvelope(text)) break;
    if (isSignature(reader, at)) break;
    if (isNextFile(reader, at)) {
      if (reader.peek(at + 2)?.startsWith('@@') === true) break;
      throw new PatchFault(`${name}: ${JSON.stringify(text)} may be a line of it or the next file; ${otherCounts}`);
    }
    if (!isBody(text)) {
      throw new PatchFault(`${name}: ${JSON.stringify(text)} begins with neither a space, - nor +; ${otherCounts}`);
    }
    texts.push(text);
  }
  const blanks = blanksAtEnd(texts);
  if (blanks === texts.length) throw new PatchFault(`${name} has no lines; ${otherCounts}`);
  return { length: texts.length, blanks };
}

const otherCounts = 'count its lines anew, or use *** Begin Patch, where @@ needs no counts';

const isBody = (text: string): boolean => text === '' || /^[-+ \\]/.test(text);

const isNextFile = (reader: PatchReader, at: number): boolean =>
  reader.peek(at)?.startsWith('--- ') === true && reader.peek(at + 1)?.startsWith('+++ ') === true;

function readLines(reader: PatchReader, length: number): Pick<Hunk, 'behind' | 'lines' | 'atEnd' | 'open'> {
  const lines: HunkLine[] = [];
  const open = { before: false, after: false };
  let isOpenKnown = false;
  for (let i = 0; i < length; i++) {
    const text = reader.next();
    if (!text.startsWith('\\')) {
      lines.push(hunkLine(text));
      continue;
    }
    const last = lines.at(-1);
    isOpenKnown = true;
    if (last?.sign !== '+') open.before = true;
    if (last?.sign !== '-') open.after = true;
  }
  return { behind: [], lines, atEnd: isOpenKnown, open: isOpenKnown ? open : null };
}
