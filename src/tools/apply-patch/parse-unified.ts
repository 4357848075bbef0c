/**
 * Unified diffs, with or without the heads of git. A head that says something of a file that a patch cannot do is
 * refused: a change of which half was dropped in silence would be told as done.
 */
import { isEnvelope, isSignature, skipMailHead } from './mail-lines.ts';
import type { FilePatch, Hunk } from './patch.ts';
import { PatchFault, type PatchReader } from './patch-reader.ts';
import { readUnifiedHunk } from './read-unified-hunk.ts';

/** What the heads of git said of a file, until its parts or the next file come. */
interface Head {
  /** The name on both sides; null where they differ or are not told. */
  readonly path: string | null;
  from: string | null;
  to: string | null;
  made: boolean;
  gone: boolean;
  executable: boolean;
}

const noHead = (path: string | null): Head => ({
  path,
  from: null,
  to: null,
  made: false,
  gone: false,
  executable: false,
});

export function parseUnified(reader: PatchReader): FilePatch[] {
  const files: FilePatch[] = [];
  let head: Head | null = null;
  const close = () => {
    if (head !== null) files.push(withoutParts(head));
    head = null;
  };
  skipMailHead(reader);
  while (reader.peek() !== undefined) {
    const line = reader.peek() ?? '';
    if (isSignature(reader, 0) || (files.length > 0 && isEnvelope(line))) {
      close();
      if (!isEnvelope(line)) skipSignature(reader);
      skipMailHead(reader);
      continue;
    }
    reader.next();
    if (line === '') continue;
    if (line.startsWith('--- ')) {
      files.push(readFile(reader, line.slice(4), head ?? noHead(null)));
      head = null;
    } else if (line.startsWith('diff ')) {
      close();
      head = noHead(bothSides(line));
    } else {
      head ??= noHead(null);
      readHead(line, head, files.length > 0);
    }
  }
  close();
  return files;
}

function readHead(line: string, head: Head, isLater: boolean): void {
  const mode = /^(new file|deleted file|old|new) mode (\d+)$/.exec(line);
  if (mode !== null) {
    const [, which, bits] = mode;
    if (which === 'old' || which === 'new') {
      throw new PatchFault('a patch does not change modes; leave these lines out and use chmod in Bash');
    }
    if (bits !== '100644' && bits !== '100755') {
      throw new PatchFault('a patch makes and deletes regular files only; use ln or rm in Bash');
    }
    if (which === 'new file') head.made = true;
    else head.gone = true;
    head.executable = bits === '100755';
  } else if (line.startsWith('rename from ')) head.from = nameIn(line.slice(12));
  else if (line.startsWith('rename to ')) head.to = nameIn(line.slice(10));
  else if (line.startsWith('copy ')) throw new PatchFault('a patch does not copy files; use cp in Bash');
  else if (/^(GIT binary patch|Binary files )/.test(line)) {
    throw new PatchFault('a patch does not change binary files; use a Bash command');
  } else if (!/^(index |similarity index |dissimilarity index )/.test(line)) throw new PatchFault(strayLine(isLater));
}

function strayLine(isLater: boolean): string {
  return isLater
    ? 'a line that belongs to no file of the diff'
    : 'it begins neither with *** Begin Patch nor with the --- and +++ lines of a unified diff';
}

/** Up to the next mail, of which there may be none. */
function skipSignature(reader: PatchReader): void {
  while (reader.peek() !== undefined && !isEnvelope(reader.peek() ?? '')) reader.next();
}

function withoutParts({ path, from, to, made, gone, executable }: Head): FilePatch {
  if (from !== null && to !== null) return { kind: 'update', path: from, to, hunks: [] };
  if (path !== null && made) return added(path, [], false, executable);
  if (path !== null && gone) return { kind: 'delete', path };
  throw new PatchFault(`the head of ${path ?? 'a file'} has no change behind it`);
}

const added = (path: string, lines: readonly string[], endsOpen: boolean, executable: boolean): FilePatch => ({
  kind: 'add',
  path,
  lines,
  endsOpen,
  ...(executable ? { executable } : {}),
});

function readFile(reader: PatchReader, first: string, head: Head): FilePatch {
  const from = fileName(first, 'a/');
  const second = reader.next();
  if (!second.startsWith('+++ ')) throw new PatchFault('behind --- comes +++');
  const to = fileName(second.slice(4), 'b/');
  const hunks: Hunk[] = [];
  while (reader.peek()?.startsWith('@@') === true) hunks.push(readUnifiedHunk(reader, hunks.length + 1));
  if (from === null && to === null) throw new PatchFault('neither side names a file');
  if (to === null) return { kind: 'delete', path: from ?? '' };
  if (from === null) {
    // A file that is new has no empty lines but those with a +.
    const lines = hunks.flatMap((hunk) => (hunk.blanks === 0 ? hunk.lines : hunk.lines.slice(0, -hunk.blanks)));
    if (lines.some(({ sign }) => sign !== '+')) throw new PatchFault(`${to} is new, and has lines that are not`);
    const texts = lines.map(({ text }) => text);
    return added(to, texts, hunks.at(-1)?.open?.after === true, head.executable);
  }
  if (hunks.length === 0) throw new PatchFault(`the part of ${from} changes nothing`);
  return { kind: 'update', path: from, to: to === from ? null : to, hunks };
}

function bothSides(line: string): string | null {
  const names = line.replace(/^diff (--git )?/, '');
  const quoted = /^("a\/(?:[^"\\]|\\.)*") "b\//.exec(names);
  if (quoted !== null) return nameIn(quoted[1] ?? '').slice(2);
  return (/^a\/(.+) b\/\1$/.exec(names) ?? /^(.+) \1$/.exec(names))?.[1] ?? null;
}

function fileName(text: string, prefix: string): string | null {
  const name = nameIn(text.replace(/\t.*$/, '').trim());
  if (name === '/dev/null') return null;
  return name.startsWith(prefix) ? name.slice(2) : name;
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

/** Git puts a name with special characters into quotes and writes their bytes as octal numbers. */
function nameIn(text: string): string {
  const inner = /^"(.*)"$/.exec(text)?.[1];
  if (inner === undefined) return text;
  const bytes: Uint8Array[] = [];
  for (const [piece, octal, letter] of inner.matchAll(/\\([0-7]{3})|\\(.)|[^\\]+/g)) {
    if (octal !== undefined) bytes.push(Uint8Array.of(Number.parseInt(octal, 8)));
    else if (letter !== undefined)
      bytes.push(escapes[letter] === undefined ? Buffer.from(letter) : Uint8Array.of(escapes[letter]));
    else bytes.push(Buffer.from(piece));
  }
  return Buffer.concat(bytes).toString('utf8');
}
