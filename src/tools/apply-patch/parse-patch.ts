/**
 * Reads the two forms of a patch that models write: `*** Begin Patch` with sections per file, and unified diffs. Pure.
 * What does not fit the form is refused with its line; nothing is skipped over.
 */
import { parseUnified } from './parse-unified.ts';
import type { FilePatch, Hunk, HunkLine, Parsed } from './patch.ts';
import { blanksAtEnd, hunkLine, PatchFault, type PatchReader, readerOf } from './patch-reader.ts';

export function parsePatch(text: string): Parsed {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  const reader = readerOf(lines);
  try {
    skipBlank(reader);
    const files = reader.peek()?.trim() === '*** Begin Patch' ? readSections(reader) : parseUnified(reader);
    return files.length === 0 ? { ok: false, line: 1, why: 'it names no file' } : { ok: true, files };
  } catch (thrown) {
    if (thrown instanceof PatchFault) return { ok: false, line: reader.line(), why: thrown.message };
    throw thrown;
  }
}

function skipBlank(reader: PatchReader): void {
  while (reader.peek()?.trim() === '') reader.next();
}

function readSections(reader: PatchReader): FilePatch[] {
  reader.next();
  const files: FilePatch[] = [];
  for (;;) {
    skipBlank(reader);
    const line = reader.peek();
    if (line === undefined) {
      // A patch that was cut off must not be taken for a whole one.
      throw new PatchFault('it does not end with *** End Patch');
    }
    reader.next();
    if (line.trim() === '*** End Patch') break;
    const head = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line);
    if (head === null) {
      const inAdd = files.at(-1)?.kind === 'add' ? '; each line of an added file begins with +' : '';
      throw new PatchFault(
        `a section begins with *** Add File: , *** Update File: or *** Delete File: ${inAdd}`.trimEnd(),
      );
    }
    files.push(readSection(reader, head[1] ?? '', (head[2] ?? '').trim()));
  }
  skipBlank(reader);
  if (reader.peek() !== undefined) throw new PatchFault('there is text behind *** End Patch');
  return files;
}

function readSection(reader: PatchReader, kind: string, path: string): FilePatch {
  if (kind === 'Delete') return { kind: 'delete', path };
  if (kind === 'Add') {
    const lines: string[] = [];
    while (reader.peek()?.startsWith('+') === true) lines.push(reader.next().slice(1));
    return { kind: 'add', path, lines, endsOpen: false };
  }
  let to: string | null = null;
  const move = /^\*\*\* Move to: (.+)$/.exec(reader.peek() ?? '');
  if (move !== null) {
    reader.next();
    const name = (move[1] ?? '').trim();
    to = name === path ? null : name;
  }
  const hunks: Hunk[] = [];
  while (reader.peek() !== undefined && !/^\*\*\* (End Patch|(Add|Update|Delete) File: )/.test(reader.peek() ?? '')) {
    if (reader.peek()?.startsWith('*** ') === true && reader.peek() !== '*** End of File') {
      throw new PatchFault(
        reader.next().startsWith('*** Move to:')
          ? `*** Move to: stands right below *** Update File: ${path}`
          : 'no line of a section begins so; one of the file that begins with *** has a space, - or + in front of it',
      );
    }
    const hunk = readHunk(reader);
    if (hunk !== null) hunks.push(hunk);
  }
  if (hunks.length === 0 && to === null) throw new PatchFault(`the section of ${path} changes nothing`);
  return { kind: 'update', path, to, hunks };
}

function readHunk(reader: PatchReader): Hunk | null {
  const behind: string[] = [];
  let line: number | null = null;
  const hasHead = reader.peek()?.startsWith('@@') === true;
  // Several heads lead to a place step by step: the class, then its method.
  while (reader.peek()?.startsWith('@@') === true) {
    const head = reader.next();
    const range = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/.exec(head);
    if (range !== null) line = Number(range[1]);
    else if (head.slice(2).trim() !== '') behind.push(head.slice(2).trim());
  }
  const lines: HunkLine[] = [];
  const texts: string[] = [];
  let atEnd = false;
  for (let next = reader.peek(); next !== undefined; next = reader.peek()) {
    if (next === '*** End of File') {
      reader.next();
      atEnd = true;
      break;
    }
    if (next.startsWith('@@') || next.startsWith('*** ')) break;
    const text = reader.next();
    lines.push(hunkLine(text));
    texts.push(text);
  }
  const blanks = blanksAtEnd(texts);
  if (blanks === lines.length) {
    // Empty lines alone set a part apart from the head of its file.
    if (blanks > 0 && !hasHead && !atEnd) return null;
    throw new PatchFault('a part without lines');
  }
  return { behind, line, lines, blanks, atEnd, open: null };
}
