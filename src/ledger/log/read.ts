/** Facts of a ledger file: the scan of bytes and the decoding of payloads in one pass. */
import type { Fact } from '#kernel';
import type { Codec } from '../codec.ts';
import type { Damage, NewerFact } from '../contract.ts';
import { systemError } from '../error.ts';
import type { Disk } from './disk.ts';
import { HEAD_BYTES } from './frame.ts';
import { type LogEnd, scanLog } from './scan.ts';
import { countRecords } from './tail.ts';

export interface ReadEnd extends LogEnd {
  readonly newer: readonly NewerFact[];
}

/**
 * Yields the facts of one whole, good batch after the other from `fromSeq` on, with the bytes they take in the file;
 * returns what the file ended with. A fact of the future is left out and named in the result. Throws `LedgerError`.
 */
export function* readLog(
  disk: Disk,
  path: string,
  codec: Codec,
  fromSeq = 1,
): Generator<{ readonly facts: readonly Fact[]; readonly bytes: number }, ReadEnd> {
  const fd = opened(disk, path);
  const newer: NewerFact[] = [];
  try {
    const batches = scanLog(disk, fd, path);
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
        if (decoded === null) {
          if (facts.length > 0) yield { facts, bytes: size };
          return { ...unreadable(bytes, at, base, firstSeq + i), newer };
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
  } catch (thrown) {
    throw systemError(thrown, path);
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
    return ('newer' in decoded ? decoded.newer.seq : decoded.fact.seq) === seq ? decoded : null;
  } catch {
    return null;
  }
}

/** The bytes are as they were written, yet no fact of ours: another program wrote them, or we had a fault. */
function unreadable(bytes: Buffer, at: number, base: number, seq: number): LogEnd {
  const damage: Damage = { offset: base + at, lastGoodSeq: seq - 1, laterRecords: countRecords(bytes, at + 1) };
  return { goodBytes: base + at, lastSeq: seq - 1, tornBytes: 0, damage, before: Buffer.alloc(0) };
}
