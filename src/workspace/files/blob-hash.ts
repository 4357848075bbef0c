import { createHash, hash } from 'node:crypto';
import { constants, readFileSync } from 'node:fs';
import { readAt } from './open-file.ts';

/** Above this size a file is hashed piece by piece instead of being held in memory. */
const PIECE_BYTES = 1024 * 1024;

/** Git blob hash of bytes: SHA-1 of `blob <length>\0` and the bytes, in hex. */
export function blobHash(bytes: Uint8Array): string {
  const head = Buffer.from(`blob ${bytes.byteLength}\0`, 'latin1');
  if (bytes.byteLength < 64 * 1024) return hash('sha1', Buffer.concat([head, bytes]), 'hex');
  return createHash('sha1').update(head).update(bytes).digest('hex');
}

/** Git blob hash of the first `size` bytes of an open file; null when it has fewer. Rejects once `signal` aborts. */
export async function hashOpen(fd: number, size: number, signal?: AbortSignal): Promise<string | null> {
  const sum = createHash('sha1').update(`blob ${size}\0`, 'latin1');
  const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size + 1));
  for (let at = 0; at < size; ) {
    signal?.throwIfAborted();
    const bytesRead = await readAt(fd, piece, 0, Math.min(piece.byteLength, size - at), at);
    if (bytesRead === 0) return null;
    at += bytesRead;
    sum.update(piece.subarray(0, bytesRead));
  }
  return sum.digest('hex');
}

/**
 * Git blob hash of a file without leaving the current turn of the event loop: for small files and for checks that
 * must sit right beside a rename. Throws what the system throws.
 */
export function hashFileSync(path: string | Buffer): string {
  // A pipe that took the file's place is not waited for.
  return blobHash(readFileSync(path, { flag: constants.O_RDONLY | constants.O_NONBLOCK }));
}
