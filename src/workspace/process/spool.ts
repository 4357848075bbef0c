/**
 * The spool: what a command printed, then the end marker `\n<nonce> <exit code>\n`, then perhaps more from background
 * children. Only what precedes the marker is the command's output.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isMissing } from '../error-code.ts';

export interface Spool {
  readonly output: Uint8Array;
  readonly outputBytes: number;
  readonly omitted: { readonly at: number; readonly bytes: number } | null;
  /** Exit code in the marker, or null when there is no marker. */
  readonly markerCode: number | null;
}

const OUTPUT_BYTES_MAX = 4 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;
const EMPTY: Spool = { output: new Uint8Array(), outputBytes: 0, omitted: null, markerCode: null };

export function readSpool(path: string, nonce: string): Spool {
  return withFile(path, EMPTY, (fd) => {
    const { size } = fstatSync(fd);
    const marker = findMarker(fd, size, nonce);
    const outputBytes = marker?.at ?? size;
    const markerCode = marker?.code ?? null;
    if (outputBytes <= OUTPUT_BYTES_MAX) {
      return { output: readAt(fd, 0, outputBytes), outputBytes, omitted: null, markerCode };
    }
    const half = OUTPUT_BYTES_MAX / 2;
    const output = Buffer.concat([readAt(fd, 0, half), readAt(fd, outputBytes - half, half)]);
    return { output, outputBytes, omitted: { at: half, bytes: outputBytes - 2 * half }, markerCode };
  });
}

/** Whether all output is in the spool. Where there is none, nothing is missing. */
export const isWholeOrAbsent = (path: string, nonce: string): boolean =>
  outputSize(path, '') === null || hasMarker(path, nonce);

/** Whether all output is in the spool. */
export function hasMarker(path: string, nonce: string): boolean {
  return withFile(path, false, (fd) => findMarker(fd, fstatSync(fd).size, nonce) !== null);
}

/**
 * Bytes of output in the file, without the marker; null where there is no file. An empty nonce: it has no marker.
 * `isRunning`: the command has not ended, so a marker can only be the very last thing, if it is there at all.
 */
export function outputSize(path: string, nonce: string, isRunning = false): number | null {
  return withFile<number | null>(path, null, (fd) => {
    const { size } = fstatSync(fd);
    return (nonce === '' ? null : findMarker(fd, size, nonce, isRunning ? 1 : undefined)?.at) ?? size;
  });
}

/** Bytes between two offsets, as many as there are. */
export function readPiece(path: string, from: number, max: number): Buffer {
  return withFile(path, Buffer.alloc(0), (fd) =>
    readAt(fd, from, Math.max(0, Math.min(max, fstatSync(fd).size - from))),
  );
}

function withFile<T>(path: string, missing: T, use: (fd: number) => T): T {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    if (isMissing(error)) return missing;
    throw error;
  }
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

/** From the end, because it is nearly always the last thing. One buffer serves all looks: a spool can be very long. */
function findMarker(
  fd: number,
  size: number,
  nonce: string,
  looksMax = Number.POSITIVE_INFINITY,
): { readonly at: number; readonly code: number } | null {
  const head = `\n${nonce} `;
  const longest = head.length + 4;
  const bytes = Buffer.allocUnsafe(Math.min(size, PIECE_BYTES) + longest);
  for (let end = size, look = 0; end > 0 && look < looksMax; end -= PIECE_BYTES, look++) {
    const from = Math.max(0, end - PIECE_BYTES);
    const piece = fill(fd, bytes.subarray(0, Math.min(size - from, end - from + longest)), from);
    const at = piece.lastIndexOf(head, undefined, 'latin1');
    const told = at < 0 ? '' : piece.toString('latin1', at + head.length, at + longest);
    const code = /^(\d{1,3})\n/.exec(told);
    if (code !== null) return { at: from + at, code: Number(code[1]) };
  }
  return null;
}

const readAt = (fd: number, from: number, length: number): Buffer => fill(fd, Buffer.allocUnsafe(length), from);

function fill(fd: number, bytes: Buffer, from: number): Buffer {
  let at = 0;
  while (at < bytes.length) {
    const got = readSync(fd, bytes, at, bytes.length - at, from + at);
    if (got === 0) break;
    at += got;
  }
  return bytes.subarray(0, at);
}
