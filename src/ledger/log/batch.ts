import {
  COMMIT,
  COMMIT_BYTES,
  COMMIT_PAYLOAD_BYTES,
  FACT,
  FRAME_BYTES,
  HEAD_BYTES,
  LINK_AT,
  linkOver,
  sealFrame,
} from './frame.ts';

export interface EncodedBatch {
  /** What is written: fact frames and the commit, behind `skip` bytes that are in the file already. */
  readonly bytes: Buffer;
  readonly skip: number;
  /** What the next batch is chained to: the link of this commit and the newline behind it. */
  readonly tail: Buffer;
}

/** Frames of one batch. `before` are the bytes the link has to cover in front of it: see `frame.ts`, 4. */
export function encodeBatch(payloads: readonly string[], lastSeq: number, before: Buffer): EncodedBatch {
  let size = before.length + COMMIT_BYTES;
  for (const payload of payloads) size += Buffer.byteLength(payload) + FRAME_BYTES;
  const bytes = Buffer.allocUnsafe(size);
  before.copy(bytes);
  let at = before.length;
  for (const payload of payloads) at = sealFrame(bytes, at, FACT, bytes.write(payload, at + HEAD_BYTES));
  bytes.writeUInt16LE(payloads.length, at + HEAD_BYTES);
  bytes.writeUInt32LE(lastSeq, at + HEAD_BYTES + 2);
  bytes.write(linkOver(bytes, 0, at), at + LINK_AT, 'latin1');
  sealFrame(bytes, at, COMMIT, COMMIT_PAYLOAD_BYTES);
  return { bytes, skip: before.length, tail: Buffer.from(bytes.subarray(at + LINK_AT)) };
}
