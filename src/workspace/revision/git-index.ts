/**
 * Reads which paths git tracks, from the index file itself (versions 2 to 4): asking git would run what the
 * repository's configuration names. Read only; an index that cannot be understood counts as empty.
 */
import { statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { readRegular } from '../files/read-regular.ts';

export interface TrackedEntry {
  readonly path: string;
  /** Git blob hash of the content in the index. */
  readonly hash: string;
}

const HEADER_BYTES = 12;
const FIXED_BYTES = 62;
const EXTENDED = 0x4000;
const INDEX_BYTES_MAX = 512 * 1024 * 1024;
const NAME_BYTES_MAX = 64 * 1024;

/** The git directory of a working tree, or null. A `.git` file names it (worktrees and submodules). */
export function gitDirOf(folder: string): string | null {
  const path = join(folder, '.git');
  try {
    if (statSync(path).isDirectory()) return path;
    const named = /^gitdir: (.+)$/m.exec(readRegular(path, NAME_BYTES_MAX)?.toString('utf8') ?? '')?.[1]?.trim();
    if (named === undefined) return null;
    return isAbsolute(named) ? named : join(dirname(path), named);
  } catch {
    return null;
  }
}

export function readIndex(gitDir: string): readonly TrackedEntry[] {
  try {
    return parseIndex(readRegular(join(gitDir, 'index'), INDEX_BYTES_MAX) ?? Buffer.alloc(0));
  } catch {
    return [];
  }
}

/** Entries of an index file, in its order. Throws a `RangeError` where the file ends too early. */
export function parseIndex(bytes: Buffer): readonly TrackedEntry[] {
  if (bytes.toString('latin1', 0, 4) !== 'DIRC') return [];
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return [];
  const entries: TrackedEntry[] = [];
  let previous: Buffer = Buffer.alloc(0);
  let at = HEADER_BYTES;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const start = at;
    const hash = bytes.toString('hex', at + 40, at + 60);
    const flags = bytes.readUInt16BE(at + 60);
    at += FIXED_BYTES + ((flags & EXTENDED) === 0 ? 0 : 2);
    let name: Buffer;
    if (version === 4) {
      const removed = readOffset(bytes, at);
      const end = endOfName(bytes, removed.next);
      name = Buffer.concat([previous.subarray(0, previous.length - removed.value), bytes.subarray(removed.next, end)]);
      at = end + 1;
    } else {
      const end = endOfName(bytes, at);
      name = bytes.subarray(at, end);
      // Entries are padded with 1 to 8 NUL bytes to a multiple of eight.
      at = start + ((end - start + 8) & ~7);
    }
    previous = name;
    entries.push({ path: name.toString('utf8'), hash });
  }
  return entries;
}

function endOfName(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0, from);
  if (end < 0) throw new RangeError('the index ends inside a name');
  return end;
}

/** The variable-length number of pack files: each further byte adds one before shifting. */
function readOffset(bytes: Buffer, from: number): { readonly value: number; readonly next: number } {
  let next = from;
  let byte = bytes.readUInt8(next++);
  let value = byte & 127;
  while ((byte & 128) !== 0) {
    byte = bytes.readUInt8(next++);
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next };
}
