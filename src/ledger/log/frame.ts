/**
 * The frame: `FF kind(1) length(4) crc32c(4) payload newline`, numbers little-endian.
 *
 * 1. FF never occurs in UTF-8, so no fact can contain what looks like the begin of a frame.
 * 2. The checksum covers kind, length and payload; FF and newline are checked as they are: no byte is unguarded.
 * 3. The first frame is the header (`H`). A batch is one or more fact frames (`F`) and one commit frame (`C`).
 * 4. A commit holds the number of facts (2 bytes), the last seq (4 bytes) and the link: 16 bytes of the SHA-256 over
 *    everything from the link of the commit before (the first time: from the begin of the file) to this commit.
 */
import { hash } from 'node:crypto';
import { crc32c } from './crc32c.ts';

export const MARK = 0xff;
export const HEADER = 0x48;
export const FACT = 0x46;
export const COMMIT = 0x43;
export const NEWLINE = 0x0a;

/** Bytes of a frame before and after its payload. */
export const HEAD_BYTES = 10;
export const FRAME_BYTES = HEAD_BYTES + 1;
/** Half of a SHA-256: the link finds accidents, and most batches hold a single small fact. */
export const LINK_BYTES = 16;
export const COMMIT_PAYLOAD_BYTES = 6 + LINK_BYTES;
export const COMMIT_BYTES = COMMIT_PAYLOAD_BYTES + FRAME_BYTES;
/** Where the link lies inside a commit frame. */
export const LINK_AT = HEAD_BYTES + 6;

/** Larger facts are refused: what is large belongs into a blob. */
export const PAYLOAD_BYTES_MAX = 16 * 1024 * 1024;
export const BATCH_FACTS_MAX = 65_535;

export const FORMAT_NAME = 'belay ledger ';
export const FORMAT_VERSION = 1;

/** The header frame of a new file. */
export function headerFrame(): Buffer {
  const payload = Buffer.from(`${FORMAT_NAME}${FORMAT_VERSION}`);
  const frame = Buffer.allocUnsafe(payload.length + FRAME_BYTES);
  payload.copy(frame, HEAD_BYTES);
  sealFrame(frame, 0, HEADER, payload.length);
  return frame;
}

/** Writes everything around a payload that already lies at `at + HEAD_BYTES`. Returns the offset behind the frame. */
export function sealFrame(bytes: Buffer, at: number, kind: number, length: number): number {
  bytes[at] = MARK;
  bytes[at + 1] = kind;
  bytes.writeUInt32LE(length, at + 2);
  bytes.writeUInt32LE(frameChecksum(bytes, at, length), at + 6);
  bytes[at + HEAD_BYTES + length] = NEWLINE;
  return at + FRAME_BYTES + length;
}

/** Whether the frame at `at` is as it was written. The caller made sure that all of it lies inside `bytes`. */
export function frameChecks(bytes: Buffer, at: number): boolean {
  const length = bytes.readUInt32LE(at + 2);
  const framed = bytes[at] === MARK && bytes[at + HEAD_BYTES + length] === NEWLINE;
  return framed && frameChecksum(bytes, at, length) === bytes.readUInt32LE(at + 6);
}

function frameChecksum(bytes: Buffer, at: number, length: number): number {
  return crc32c(bytes, at + HEAD_BYTES, at + HEAD_BYTES + length, crc32c(bytes, at + 1, at + 6));
}

/** The link of a commit over the bytes `[from, to)`, one character a byte: half the price of a buffer. */
export const linkOver = (bytes: Buffer, from: number, to: number): string =>
  hash('sha256', bytes.subarray(from, to), 'binary').slice(0, LINK_BYTES);
