import { isAscii } from 'node:buffer';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { messageOf } from '#lib';
import type { FileChange, FileContent, FilesResult, PathProblem } from '../contract.ts';
import { errorCode, isMissing } from '../error-code.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { pathOfOpen } from './anchor.ts';
import { blobHash, hashOpen } from './blob-hash.ts';
import { identityOfHuge } from './huge-file.ts';
import { readAt } from './open-file.ts';
import { isProblem, type Resolve } from './resolve-path.ts';
import { sizeOf } from './same-content.ts';
import { decodeText } from './text-encoding.ts';

const BYTES_MAX = 16 * 1024 * 1024;
const TRIES_MAX = 20;
/** From this size on the last content read is kept: comparing bytes is far cheaper than hashing and decoding again. */
const KEPT_BYTES_MIN = 1024 * 1024;
const KEPT_BYTES_MAX = 32 * 1024 * 1024;
/** After an edit the model is asked for what comes next, which takes far longer. */
const PUT_TOGETHER_MS = 50;
/** Up to this size the way to another thread and back takes longer than reading does. */
const AT_ONCE_BYTES_MAX = 256 * 1024;

/** The last large content that was read or written whole. */
export interface LastContent {
  content: FileContent | null;
  /** State of the file when `content` was read from it or written to it. */
  stamp: string | null;
}

export interface ReadLimits {
  readonly bytesMax?: number;
  readonly trusting?: boolean;
}

const stampOf = (stat: BigIntStats): string =>
  [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs, stat.mode].join();

/** What was written is what the next read will find, so it need not be hashed again; a refusal voids what was known. */
export function noteWritten(
  resolve: Resolve,
  last: LastContent,
  changes: readonly FileChange[],
  written: FilesResult,
): void {
  const [change] = changes;
  const before = last.content;
  last.stamp = null;
  last.content = null;
  if (!written.ok || changes.length !== 1 || change === undefined || before === null) return;
  if (change.result === undefined || before.hash !== change.base || !isPlain(before, change)) return;
  const found = resolve(change.path);
  const stat = isProblem(found) ? undefined : statSync(found.absolute, { bigint: true, throwIfNoEntry: false });
  if (isProblem(found) || stat === undefined) return;
  last.stamp = stampOf(stat);
  last.content = plainContent(found.path, change, change.result, stat);
  // Nobody waits for it now; whoever edits the file next would.
  setTimeout(() => void last.content?.bytes, PUT_TOGETHER_MS).unref();
}

function plainContent(path: string, change: FileChange, hash: string, stat: BigIntStats): FileContent {
  let source: FileChange | null = change;
  let bytes: Uint8Array | null = null;
  let text: string | null = null;
  const content = {
    path,
    get bytes() {
      bytes ??= source?.bytes ?? new Uint8Array();
      // Its pieces lie in what was before, which need not be kept any longer.
      source = null;
      return bytes;
    },
    size: Number(stat.size),
    truncated: false,
    hash,
    mode: Number(stat.mode) & 0o7777,
    binary: false,
    get text() {
      const { bytes } = content;
      text ??= Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
      return text;
    },
    encoding: 'utf-8',
    bom: false,
    isPlain: true,
  };
  return content;
}

/** Large ASCII, as nearly all large texts are: its characters are its bytes. */
function isPlain(before: FileContent, change: FileChange): boolean {
  const size = sizeOf(change.pieces ?? change.bytes ?? []);
  if (size < KEPT_BYTES_MIN || size > KEPT_BYTES_MAX || before.encoding !== 'utf-8' || before.bom) return false;
  if (change.isPlain === true) return true;
  const { bytes } = change;
  return bytes !== null && isAscii(bytes) && !bytes.includes(0);
}

/** Reads one regular file whole, or its head when it is longer than `bytesMax`. */
export async function readFileContent(
  resolve: Resolve,
  text: string,
  limits: ReadLimits = {},
  last: LastContent = { content: null, stamp: null },
): Promise<FileContent | PathProblem> {
  for (let tries = 1; ; tries++) {
    const content = await readOnce(resolve, text, limits, last);
    if (content !== 'moved') return content;
    if (tries >= TRIES_MAX) return { code: 'invalid', message: `${text} leads elsewhere again and again.` };
  }
}

async function readOnce(
  resolve: Resolve,
  text: string,
  { bytesMax = BYTES_MAX, trusting = false }: ReadLimits,
  last: LastContent,
): Promise<FileContent | PathProblem | 'moved'> {
  const found = resolve(text);
  if (isProblem(found)) return found;
  if (found.kind === 'directory') return { code: 'directory', message: `${found.path} is a folder, not a file.` };
  if (found.kind === 'other') return { code: 'invalid', message: `${found.path} is a device, pipe or socket.` };
  let fd: number;
  try {
    // Without the flag a pipe that took the file's place would hold the call for ever.
    fd = openSync(found.absolute, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return { code: 'missing', message: `${found.path} does not exist.` };
    return { code: 'invalid', message: `${found.path} cannot be read: ${errorCode(error) || messageOf(error)}.` };
  }
  try {
    if (!isMeant(resolve, fd, found.absolute)) return 'moved';
    const stamp = stampOf(fstatSync(fd, { bigint: true }));
    const { content: known } = last;
    if (trusting && known?.path === found.path && stamp === last.stamp && known.size <= bytesMax) return known;
    const { bytes, size, hash, stat } = await readAll(fd, bytesMax, known);
    if (known !== null && bytes === known.bytes && known.path === found.path && known.mode === (stat.mode & 0o7777)) {
      last.stamp = stamp;
      return known;
    }
    const truncated = size > bytes.byteLength;
    const decoded = await decodeText(bytes, truncated);
    const content = {
      path: found.path,
      bytes,
      size,
      truncated,
      hash,
      mode: stat.mode & 0o7777,
      binary: decoded === null,
      text: decoded?.text ?? null,
      encoding: decoded?.encoding ?? 'binary',
      bom: decoded?.bom ?? false,
      ...(decoded?.guessed === true ? { guessed: true } : {}),
      ...(decoded?.isPlain === true ? { isPlain: true } : {}),
    };
    if (!truncated && size >= KEPT_BYTES_MIN && size <= KEPT_BYTES_MAX) {
      last.content = content;
      last.stamp = stamp;
    }
    return content;
  } finally {
    closeSync(fd);
  }
}

/**
 * Whether the file that was opened is the one that the path meant: a folder on the way may have become a link that
 * leads out of the workspace between the look and the opening.
 */
function isMeant(resolve: Resolve, fd: number, absolute: string): boolean {
  const path = pathOfOpen(fd)?.replace(/ \(deleted\)$/, '');
  if (path === undefined || path === absolute) return true;
  const found = resolve(path);
  return !isProblem(found) && found.kind === 'file';
}

/** Git blob hash of a file; null when there is no such regular file inside the workspace. */
export async function hashPath(resolve: Resolve, text: string): Promise<string | null> {
  const found = resolve(text);
  if (isProblem(found) || found.kind !== 'file') return null;
  try {
    const fd = openSync(found.absolute, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!isMeant(resolve, fd, found.absolute)) return null;
      return (await readAll(fd, 0, null)).hash;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

interface Reading {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly hash: string;
  readonly stat: Stats;
}

/**
 * Reads as many bytes as the file has at one moment; what is appended later belongs to a later moment. A file that
 * shrinks meanwhile is read again.
 */
async function readAll(fd: number, bytesMax: number, last: FileContent | null): Promise<Reading> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const stat = fstatSync(fd);
    const wanted = Math.min(stat.size, bytesMax);
    const bytes = Buffer.allocUnsafe(wanted);
    let at = 0;
    while (at < wanted) {
      const isShort = wanted <= AT_ONCE_BYTES_MAX;
      const bytesRead = isShort
        ? readSync(fd, bytes, at, wanted - at, at)
        : await readAt(fd, bytes, at, wanted - at, at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    if (at < wanted) continue;
    if (last !== null && wanted === stat.size && bytes.equals(last.bytes)) {
      return { bytes: last.bytes, size: stat.size, hash: last.hash, stat };
    }
    const hash =
      wanted === stat.size
        ? blobHash(bytes)
        : (identityOfHuge(fstatSync(fd, { bigint: true })) ?? (await hashOpen(fd, stat.size)));
    if (hash !== null) return { bytes, size: stat.size, hash, stat };
  }
  throw new WorkspaceError('io', 'The file keeps changing while it is read.');
}
