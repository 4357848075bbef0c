/**
 * Reads the two forms of a patch that models write: `*** Begin Patch` with sections per file, and unified diffs. Pure.
 * What does not fit the form is refused with its line; nothing is skipped over.
 */
import type { FilePatch, Hunk, HunkLine, Parsed } from './patch.ts';

export function parsePatch(text: string): Parsed {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  const reader = readerOf(lines);
  try {
    while (reader.peek()?.trim() === '') reader.next();
    const files = reader.peek()?.trim() === '*** Begin Patch' ? readSections(reader) : readUnified(reader);
    return files.length === 0 ? { ok: false, line: 1, why: 'it names no file' } : { ok: true, files };
  } catch (thrown) {
    if (thrown instanceof Fault) return { ok: false, line: reader.line(), why: thrown.message };
    throw thrown;
  }
}

class Fault extends Error {}

interface Reader {
  peek(): string | undefined;
  next(): string;
  /** Number of the line that was read last, from 1. */
  line(): number;
}

function readerOf(lines: readonly string[]): Reader {
  let at = 0;
  return {
    peek: () => lines[at],
    next: () => lines[at++] ?? '',
    line: () => Math.max(1, Math.min(at, lines.length)),
  };
}

function readSections(reader: Reader): FilePatch[] {
  reader.next();
  const files: FilePatch[] = [];
  for (;;) {
    const line = reader.peek();
    if (line === undefined) {
      // A patch that was cut off must not be taken for a whole one.
      throw new Fault('it does not end with *** End Patch');
    }
    reader.next();
    if (line.trim() === '*** End Patch') break;
    const head = /^\*\*\* (Add|Update|Delete) File: (.+)$/.exec(line);
    if (head === null) throw new Fault('a section begins with *** Add File: , *** Update File: or *** Delete File: ');
    files.push(readSection(reader, head[1] ?? '', (head[2] ?? '').trim()));
  }
  while (reader.peek()?.trim() === '') reader.next();
  if (reader.peek() !== undefined) throw new Fault('there is text behind *** End Patch');
  return files;
}

function readSection(reader: Reader, kind: string, path: string): FilePatch {
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
    to = (move[1] ?? '').trim();
  }
  const hunks: Hunk[] = [];
  while (reader.peek() !== undefined && !/^\*\*\* (End Patch|(Add|Update|Delete) File: )/.test(reader.peek() ?? '')) {
    hunks.push(readHunk(reader));
  }
  if (hunks.length === 0 && to === null) throw new Fault(`the section of ${path} changes nothing`);
  return { kind: 'update', path, to, hunks };
}

function readHunk(reader: Reader): Hunk {
  let behind: string | null = null;
  let line: number | null = null;
  if (reader.peek()?.startsWith('@@') === true) {
    const head = reader.next();
    const range = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/.exec(head);
    if (range !== null) line = Number(range[1]);
    else behind = head.slice(2).trim() === '' ? null : head.slice(2).trim();
  }
  const lines: HunkLine[] = [];
  let atEnd = false;
  for (let next = reader.peek(); next !== undefined; next = reader.peek()) {
    if (next === '*** End of File') {
      reader.next();
      atEnd = true;
      break;
    }
    if (next.startsWith('@@') || next.startsWith('*** ')) break;
    lines.push(hunkLine(reader.next()));
  }
  if (lines.length === 0) throw new Fault('a part without lines');
  return { behind, line, lines, atEnd, open: null };
}

function hunkLine(line: string): HunkLine {
  if (line === '') return { sign: ' ', text: '' };
  const sign = line[0];
  if (sign !== ' ' && sign !== '-' && sign !== '+') throw new Fault('a line begins with a space, - or +');
  return { sign, text: line.slice(1) };
}

function readUnified(reader: Reader): FilePatch[] {
  const files: FilePatch[] = [];
  let from = '';
  while (reader.peek() !== undefined) {
    const line = reader.next();
    if (line.startsWith('rename from ')) from = line.slice(12);
    else if (line.startsWith('rename to ')) {
      // With changes besides, the heads that follow name both sides.
      if (/^(index|---) /.test(reader.peek() ?? '')) continue;
      files.push({ kind: 'update', path: from, to: line.slice(10), hunks: [] });
    } else if (line.startsWith('--- ')) files.push(readUnifiedFile(reader, fileName(line.slice(4), 'a/')));
    else if (!/^(diff |index |(new|deleted) file mode |old mode |new mode |similarity |$)/.test(line)) {
      throw new Fault('neither *** Begin Patch nor a unified diff');
    }
  }
  return files;
}

function readUnifiedFile(reader: Reader, from: string | null): FilePatch {
  const second = reader.next();
  if (!second.startsWith('+++ ')) throw new Fault('behind --- comes +++');
  const to = fileName(second.slice(4), 'b/');
  const hunks: Hunk[] = [];
  while (reader.peek()?.startsWith('@@') === true) hunks.push(readUnifiedHunk(reader));
  if (from === null && to === null) throw new Fault('neither side names a file');
  if (to === null) return { kind: 'delete', path: from ?? '' };
  if (from === null) {
    const lines = hunks.flatMap((hunk) => hunk.lines).map(({ text }) => text);
    return { kind: 'add', path: to, lines, endsOpen: hunks.at(-1)?.open?.after === true };
  }
  if (hunks.length === 0) throw new Fault(`the part of ${from} changes nothing`);
  return { kind: 'update', path: from, to: to === from ? null : to, hunks };
}

/** As many lines as the head says, so that a line such as `--- x` inside is not taken for the next file. */
function readUnifiedHunk(reader: Reader): Hunk {
  const head = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(reader.next());
  if (head === null) throw new Fault('a part begins with @@ -line,count +line,count @@');
  let before = Number(head[2] ?? 1);
  let after = Number(head[3] ?? 1);
  const lines: HunkLine[] = [];
  const open = { before: false, after: false };
  let isOpenKnown = false;
  while (before > 0 || after > 0) {
    if (reader.peek() === undefined) throw new Fault('it ends before the part is whole');
    const line = hunkLine(reader.next());
    if (line.sign !== '+') before--;
    if (line.sign !== '-') after--;
    if (before < 0 || after < 0) throw new Fault('the part has other lines than its head says');
    lines.push(line);
    if (reader.peek()?.startsWith('\\') === true) {
      reader.next();
      isOpenKnown = true;
      if (line.sign !== '+') open.before = true;
      if (line.sign !== '-') open.after = true;
    }
  }
  return { behind: null, line: Number(head[1]), lines, atEnd: isOpenKnown, open: isOpenKnown ? open : null };
}

function fileName(text: string, prefix: string): string | null {
  const name = text.replace(/\t.*$/, '').trim();
  if (name === '/dev/null') return null;
  return name.startsWith(prefix) ? name.slice(2) : name;
}
