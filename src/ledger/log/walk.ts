/** Steps over the frames of one batch by their lengths alone; what they contain is checked by who asked. */
import {
  COMMIT,
  COMMIT_PAYLOAD_BYTES,
  FACT,
  FRAME_BYTES,
  HEAD_BYTES,
  MARK,
  NEWLINE,
  PAYLOAD_BYTES_MAX,
} from './frame.ts';

export interface Walk {
  /**
   * `commit`: a whole batch · `short`: everything here is the begin of a batch, its rest is missing ·
   * `bad`: the bytes at `at` cannot be the begin of a frame that belongs here.
   */
  readonly end: 'commit' | 'short' | 'bad';
  /** Offsets of the whole fact frames. */
  readonly facts: number[];
  /** Offset of the commit frame, of the unfinished frame, or of the bad one. */
  readonly at: number;
}

export function walkBatch(bytes: Buffer, start: number, end: number): Walk {
  const facts: number[] = [];
  let at = start;
  for (;;) {
    if (at === end) return { end: 'short', facts, at };
    if (bytes[at] !== MARK) return { end: 'bad', facts, at };
    if (at + 1 === end) return { end: 'short', facts, at };
    const kind = bytes[at + 1];
    if (kind !== FACT && (kind !== COMMIT || facts.length === 0)) return { end: 'bad', facts, at };
    if (at + HEAD_BYTES > end) return { end: 'short', facts, at };
    const length = bytes.readUInt32LE(at + 2);
    if (kind === COMMIT ? length !== COMMIT_PAYLOAD_BYTES : length > PAYLOAD_BYTES_MAX)
      return { end: 'bad', facts, at };
    const next = at + length + FRAME_BYTES;
    if (next > end) return { end: 'short', facts, at };
    if (bytes[next - 1] !== NEWLINE) return { end: 'bad', facts, at };
    if (kind === COMMIT) return { end: 'commit', facts, at };
    facts.push(at);
    at = next;
  }
}
