/**
 * Batches that are decoded together: one parse of many facts costs half of as many parses. Their frames are laid out as
 * one JSON list, in which blanks and a comma stand where the head of each frame was.
 */
import type { Fact } from '#kernel';
import type { Codec } from '../codec.ts';
import type { NewerFact } from '../contract.ts';
import { HEAD_BYTES } from './frame.ts';
import { peekTime } from './peek.ts';
import type { Batch } from './scan.ts';

export interface Piece {
  /** Bytes that wait to be decoded. */
  readonly bytes: number;
  /** Number of the first fact that waits. */
  readonly firstSeq: number;
  /** Copies the facts of a batch, or those of them that are wanted. */
  add(batch: Batch, isWanted?: (i: number) => boolean): void;
  /** Decodes what waits. Null where that is not, fact by fact, what a ledger holds. */
  take(): { readonly facts: Fact[]; readonly newer: readonly NewerFact[] } | null;
}

/** Facts of one batch that follow one another; `ts` is its time where that is known before decoding. */
interface Part {
  readonly firstSeq: number;
  readonly count: number;
  readonly ts: number | null;
}

const BLANK = 0x20;
const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

export function createPiece(codec: Codec): Piece {
  let room = Buffer.allocUnsafe(128 * 1024);
  let used = 0;
  let firstSeq = 0;
  let parts: Part[] = [];
  /** Frames `begin` to `end`, the last one left out. */
  const copy = (bytes: Buffer, frames: readonly number[], begin: number, end: number): void => {
    const from = frames[begin] as number;
    const last = frames[end - 1] as number;
    const to = last + HEAD_BYTES + bytes.readUInt32LE(last + 2);
    if (used + to - from + 1 > room.length) room = Buffer.concat([room.subarray(0, used)], (used + to - from) * 2);
    bytes.copy(room, used, from, to);
    const shift = used - from;
    for (let n = begin; n < end; n++) {
      const at = (frames[n] as number) + shift;
      for (let i = at; i < at + HEAD_BYTES - 1; i++) room[i] = BLANK;
      room[at + HEAD_BYTES - 1] = COMMA;
    }
    used += to - from;
  };
  return {
    get bytes() {
      return used;
    },
    get firstSeq() {
      return firstSeq;
    },
    add({ bytes, frames, firstSeq: seq }, isWanted) {
      if (used === 0) firstSeq = seq;
      const ts = isWanted === undefined ? null : peekTime(bytes, (frames[0] as number) + HEAD_BYTES);
      // Where only decoding tells the time of a batch, it is decoded.
      if (isWanted === undefined || ts === null) {
        parts.push({ firstSeq: seq, count: frames.length, ts: null });
        copy(bytes, frames, 0, frames.length);
        return;
      }
      for (let i = 0; i < frames.length; i++) {
        const begin = i;
        while (i < frames.length && isWanted(i)) i++;
        if (i === begin) continue;
        parts.push({ firstSeq: seq + begin, count: i - begin, ts });
        copy(bytes, frames, begin, i);
      }
    },
    take() {
      if (used === 0) return { facts: [], newer: [] };
      room[HEAD_BYTES - 1] = OPEN;
      room[used] = CLOSE;
      const lists = parsed(room.toString('utf8', 0, used + 1));
      const taken = lists === null ? null : decoded(codec, lists, parts);
      used = 0;
      parts = [];
      return taken;
    },
  };
}

function parsed(text: string): readonly unknown[] | null {
  try {
    return JSON.parse(text) as readonly unknown[];
  } catch {
    return null;
  }
}

function decoded(codec: Codec, lists: readonly unknown[], parts: readonly Part[]) {
  const facts: Fact[] = [];
  const newer: NewerFact[] = [];
  let n = 0;
  try {
    for (const { firstSeq, count, ts: known } of parts) {
      let ts = known ?? 0;
      for (let i = 0; i < count; i++) {
        const one = codec.decodeParts(lists[n], ts);
        const seq = 'newer' in one ? one.newer.seq : one.fact.seq;
        if (seq !== firstSeq + i) return null;
        // The first fact of a batch holds the time of all of them.
        if (i === 0 && known === null) ts = 'newer' in one ? one.ts : one.fact.ts;
        if ('newer' in one) newer.push(one.newer);
        else facts.push(one.fact);
        n++;
      }
    }
  } catch {
    return null;
  }
  return n === lists.length ? { facts, newer } : null;
}
