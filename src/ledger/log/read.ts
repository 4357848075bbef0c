/** Facts of a ledger file: the scan of bytes and the decoding of payloads in one pass. */
import type { Fact } from '#kernel';
import { messageOf } from '#lib';
import type { Codec } from '../codec.ts';
import type { Damage, NewerFact } from '../contract.ts';
import { systemError } from '../error.ts';
import { type Disk, readFully } from './disk.ts';
import type { FactIndex } from './fact-index.ts';
import { HEAD_BYTES } from './frame.ts';
import type { KnownFacts } from './known.ts';
import { peekCode } from './peek.ts';
import { createPiece } from './piece.ts';
import { type Batch, type LogEnd, scanLog } from './scan.ts';
import { countRecords } from './tail.ts';

export interface ReadEnd extends LogEnd {
  readonly newer: readonly NewerFact[];
}

/** As much is decoded together: the text of it, and what is read of it, then die young. */
const PIECE_BYTES = 32 * 1024;

type Facts = { readonly facts: readonly Fact[]; readonly bytes: number };

export interface ReadOptions {
  /** Number of the first fact that is yielded; default 1. */
  readonly fromSeq?: number;
  /** Is told of every batch. */
  readonly index?: FactIndex;
  /** Of these only some are yielded. */
  readonly known?: KnownFacts | null;
  /** The end has the hash of all good bytes. */
  readonly isHashed?: boolean;
}

/**
 * Yields the facts of whole, good batches, with the bytes they take in the file; returns what the file ended with. A fact
 * of the future is left out and named in the result. Throws `LedgerError`.
 */
export function* readLog(
  disk: Disk,
  path: string,
  codec: Codec,
  { fromSeq = 1, index, known = null, isHashed = false }: ReadOptions = {},
): Generator<Facts, ReadEnd> {
  const fd = opened(disk, path);
  const newer: NewerFact[] = [];
  const piece = createPiece(codec);
  try {
    const batches = scanLog(disk, fd, path, { mark: known?.mark, isHashed });
    for (;;) {
      const next = batches.next();
      if (!next.done) {
        const batch = next.value;
        const codes = index === undefined ? [] : note(index, batch);
        if (batch.firstSeq + batch.frames.length > fromSeq) piece.add(batch, known?.among(batch, codes));
      }
      if (!next.done && piece.bytes < PIECE_BYTES) continue;
      const { bytes, firstSeq } = piece;
      const taken = piece.take();
      if (taken === null) return yield* readFrames(disk, path, codec, Math.max(fromSeq, firstSeq), newer, isHashed);
      for (const one of taken.newer) if (one.seq >= fromSeq) newer.push(one);
      const facts = firstSeq >= fromSeq ? taken.facts : taken.facts.filter((fact) => fact.seq >= fromSeq);
      if (facts.length > 0) yield { facts, bytes };
      if (!next.done) continue;
      index?.endsAt(next.value.goodBytes);
      return { ...next.value, newer };
    }
  } catch (thrown) {
    throw systemError(thrown, path);
  } finally {
    disk.close(fd);
  }
}

function note(index: FactIndex, { bytes, frames, firstSeq, base }: Batch): readonly number[] {
  const codes: number[] = [];
  for (const at of frames) codes.push(peekCode(bytes, at + HEAD_BYTES));
  index.add(base + (frames[0] as number), firstSeq, codes);
  return codes;
}

/** The same, one fact after the other, to name the place of one that is none. */
function* readFrames(
  disk: Disk,
  path: string,
  codec: Codec,
  fromSeq: number,
  newer: NewerFact[],
  isHashed: boolean,
): Generator<Facts, ReadEnd> {
  const fd = opened(disk, path);
  try {
    const batches = scanLog(disk, fd, path, { isHashed });
    for (;;) {
      const next = batches.next();
      if (next.done) return { ...next.value, newer };
      const { bytes, frames, firstSeq, base } = next.value;
      const facts: Fact[] = [];
      let size = 0;
      let ts = 0;
      if (firstSeq + frames.length <= fromSeq) continue;
      for (let i = 0; i < frames.length; i++) {
        const at = frames[i] as number;
        const length = bytes.readUInt32LE(at + 2);
        const payload = bytes.toString('utf8', at + HEAD_BYTES, at + HEAD_BYTES + length);
        const decoded = decode(codec, payload, ts, firstSeq + i);
        if ('problem' in decoded) {
          const { problem } = decoded;
          const behind = base + at + HEAD_BYTES + length;
          const rest = readFully(disk, fd, behind, Math.max(0, disk.size(fd) - behind));
          if (facts.length > 0) yield { facts, bytes: size };
          return { ...unreadable(base + at, firstSeq + i, countRecords(rest, 0), problem), newer };
        }
        // The first fact of a batch holds the time of all of them, so decoding begins with it.
        if (i === 0) ts = 'newer' in decoded ? decoded.ts : decoded.fact.ts;
        if (firstSeq + i < fromSeq) continue;
        size += length;
        if ('newer' in decoded) newer.push(decoded.newer);
        else facts.push(decoded.fact);
      }
      if (facts.length > 0) yield { facts, bytes: size };
    }
  } finally {
    disk.close(fd);
  }
}

function opened(disk: Disk, path: string): number {
  try {
    return disk.open(path, 'r');
  } catch (thrown) {
    throw systemError(thrown, path);
  }
}

function decode(codec: Codec, payload: string, batchTs: number, seq: number) {
  try {
    const decoded = codec.decode(payload, batchTs);
    const own = 'newer' in decoded ? decoded.newer.seq : decoded.fact.seq;
    return own === seq ? decoded : { problem: `the fact in the place of ${seq} has the number ${own}` };
  } catch (thrown) {
    return { problem: messageOf(thrown) };
  }
}

/** The bytes are as they were written, yet no fact of ours: another program wrote them, or we had a fault. */
function unreadable(offset: number, seq: number, laterRecords: number, problem: string): LogEnd {
  const damage: Damage = { offset, lastGoodSeq: seq - 1, laterRecords, problem };
  return {
    goodBytes: offset,
    lastSeq: seq - 1,
    tornBytes: 0,
    damage,
    before: Buffer.alloc(0),
    hash: null,
    isMet: false,
  };
}
