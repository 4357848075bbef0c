/**
 * Batches that are decoded together: one parse of many facts costs half of as many parses. Their frames are laid out as
 * one JSON list, in which blanks and a comma stand where the head of each frame was.
 */
import type { Fact } from '#kernel';
import type { Codec } from '../codec.ts';
import type { NewerFact } from '../contract.ts';
import { HEAD_BYTES } from './frame.ts';
import type { Batch } from './scan.ts';

export interface Piece {
  /** Bytes that wait to be decoded. */
  readonly bytes: number;
  /** Number of the first fact that waits. */
  readonly firstSeq: number;
  /** Copies the facts of a batch. */
  add(batch: Batch): void;
  /** Decodes what waits. Null where that is not, fact by fact, what a ledger holds. */
  take(): { readonly facts: Fact[]; readonly newer: readonly NewerFact[] } | null;
}

const BLANK = 0x20;
const COMMA = 0x2c;
const OPEN = 0x5b;
const CLOSE = 0x5d;

export function createPiece(codec: Codec): Piece {
  let room = Buffer.allocUnsafe(128 * 1024);
  let used = 0;
  let firstSeq = 0;
  /** Number of facts by batch. */
  let counts: number[] = [];
  return {
    get bytes() {
      return used;
    },
    get firstSeq() {
      return firstSeq;
    },
    add({ bytes, frames, firstSeq: seq }) {
      const from = frames[0] as number;
      const last = frames.at(-1) as number;
      const to = last + HEAD_BYTES + bytes.readUInt32LE(last + 2);
      if (used + to - from + 1 > room.length) room = Buffer.concat([room.subarray(0, used)], (used + to - from) * 2);
      bytes.copy(room, used, from, to);
      const shift = used - from;
      for (const at of frames) {
        const end = at + shift + HEAD_BYTES - 1;
        for (let i = at + shift; i < end; i++) room[i] = BLANK;
        room[end] = COMMA;
      }
      if (used === 0) firstSeq = seq;
      counts.push(frames.length);
      used += to - from;
    },
    take() {
      if (used === 0) return { facts: [], newer: [] };
      room[HEAD_BYTES - 1] = OPEN;
      room[used] = CLOSE;
      const lists = parsed(room.toString('utf8', 0, used + 1));
      const taken = lists === null ? null : decoded(codec, lists, counts, firstSeq);
      used = 0;
      counts = [];
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

function decoded(codec: Codec, lists: readonly unknown[], counts: readonly number[], firstSeq: number) {
  const facts: Fact[] = [];
  const newer: NewerFact[] = [];
  let n = 0;
  try {
    for (const count of counts) {
      let ts = 0;
      for (let i = 0; i < count; i++) {
        const one = codec.decodeParts(lists[n], ts);
        const seq = 'newer' in one ? one.newer.seq : one.fact.seq;
        if (seq !== firstSeq + n) return null;
        // The first fact of a batch holds the time of all of them.
        if (i === 0) ts = 'newer' in one ? one.ts : one.fact.ts;
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
