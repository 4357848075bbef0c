/**
 * Reads which paths git tracks, from the index file itself (versions 2 to 4, of either hash, whole or split in two):
 * asking git would run what the repository's configuration names. Read only; an index that cannot be understood counts
 * as empty.
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
/** Of an entry before its hash, and of the flags behind it. */
const STAT_BYTES = 40;
const FLAG_BYTES = 2;
const EXTENDED = 0x4000;
const NAME_LENGTH = 0x0fff;
const INDEX_BYTES_MAX = 512 * 1024 * 1024;
const NAME_BYTES_MAX = 64 * 1024;
/** SHA-1 and SHA-256; the file does not say which. */
const HASHES = [20, 32] as const;

interface IndexFile {
  readonly entries: readonly TrackedEntry[];
  /** Of a split index: the hash that names the file with the other entries. */
  readonly base: string | null;
}

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
    const { entries, base } = parseFile(contentOf(join(gitDir, 'index')));
    if (base === null) return entries;
    // What was removed since from the other file counts as tracked still; what was replaced has no name here.
    const shared = parseFile(contentOf(join(gitDir, `sharedindex.${base}`))).entries;
    return [...entries.filter(({ path }) => path !== ''), ...shared];
  } catch {
    return [];
  }
}

const contentOf = (file: string): Buffer => readRegular(file, INDEX_BYTES_MAX) ?? Buffer.alloc(0);

/** Entries of an index file, in its order. Throws a `RangeError` where the file ends too early. */
export const parseIndex = (bytes: Buffer): readonly TrackedEntry[] => parseFile(bytes).entries;

function parseFile(bytes: Buffer): IndexFile {
  const version = bytes.length < HEADER_BYTES ? 0 : bytes.readUInt32BE(4);
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return { entries: [], base: null };
  for (const hashBytes of HASHES) {
    try {
      const found = parseWith(bytes, version, hashBytes);
      if (found !== null) return found;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  throw new RangeError('the index ends too early');
}

/** Null where the lengths of the names show that the hashes are of another length. */
function parseWith(bytes: Buffer, version: number, hashBytes: number): IndexFile | null {
  const entries: TrackedEntry[] = [];
  let previous: Buffer = Buffer.alloc(0);
  let at = HEADER_BYTES;
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const start = at;
    const flagsAt = at + STAT_BYTES + hashBytes;
    const hash = bytes.toString('hex', at + STAT_BYTES, flagsAt);
    const flags = bytes.readUInt16BE(flagsAt);
    at = flagsAt + FLAG_BYTES + ((flags & EXTENDED) === 0 ? 0 : 2);
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
    if ((flags & NAME_LENGTH) !== Math.min(name.length, NAME_LENGTH)) return null;
    previous = name;
    entries.push({ path: name.toString('utf8'), hash });
  }
  return { entries, base: baseOf(bytes, at, hashBytes) };
}

/** Behind the entries come parts with a name and a length, and a checksum of the whole. */
function baseOf(bytes: Buffer, from: number, hashBytes: number): string | null {
  for (let at = from; at + 8 <= bytes.length - hashBytes; at += 8 + bytes.readUInt32BE(at + 4)) {
    if (bytes.toString('latin1', at, at + 4) !== 'link') continue;
    const hash = bytes.toString('hex', at + 8, at + 8 + hashBytes);
    return /^0*$/.test(hash) ? null : hash;
  }
  return null;
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
