/** Facts of some types, read from the places that an index tells; what lies between them is not looked at. */
import type { Fact } from '#kernel';
import { type Codec, newerError } from '../codec.ts';
import { LedgerError, systemError } from '../error.ts';
import { type Disk, readInto } from './disk.ts';
import type { FactIndex } from './fact-index.ts';
import { frameChecks, HEAD_BYTES } from './frame.ts';
import { codeOf, peekTime, UNREAD } from './peek.ts';
import { walkBatch } from './walk.ts';

const WINDOW_BYTES = 8 * 1024;

/** Of these types, or of all; in order, from `fromSeq` to `toSeq`. Throws `LedgerError` `damaged` where the file is not any more as it was indexed. */
export function* findFacts(
  disk: Disk,
  path: string,
  codec: Codec,
  index: FactIndex,
  types: ReadonlySet<string> | null,
  fromSeq: number,
  toSeq: number,
): Generator<Fact> {
  const isWanted = new Uint8Array(256).fill(types === null ? 1 : 0);
  for (const type of types ?? []) isWanted[codeOf(type)] = 1;
  isWanted[UNREAD] = 1;
  let fd: number | null = null;
  let room: Buffer = Buffer.alloc(0);
  let window = room;
  let base = 0;
  try {
    for (const { from, to, firstSeq } of index.holding(isWanted, fromSeq, toSeq)) {
      fd ??= disk.open(path, 'r');
      if (from < base || to > base + window.length) {
        if (room.length < to - from) room = Buffer.allocUnsafe(Math.max(to - from, WINDOW_BYTES));
        window = room.subarray(0, readInto(disk, fd, room, from));
        base = from;
      }
      const { facts: frames, end } = walkBatch(window, from - base, Math.min(to - base, window.length));
      if (end !== 'commit') throw changed(path, from, firstSeq);
      let ts: number | null = null;
      for (let i = 0; i < frames.length; i++) {
        const at = frames[i] as number;
        const seq = firstSeq + i;
        if (seq < fromSeq || isWanted[index.code(seq)] !== 1) continue;
        if (seq > toSeq) return;
        if (!frameChecks(window, at)) throw changed(path, base + at, seq);
        ts ??= timeOf(codec, window, frames[0] as number);
        const decoded = codec.decode(payloadAt(window, at), ts);
        if ('newer' in decoded) throw newerError(decoded.newer);
        if (types === null || types.has(decoded.fact.type)) yield decoded.fact;
      }
    }
  } catch (thrown) {
    throw systemError(thrown, path);
  } finally {
    if (fd !== null) disk.close(fd);
  }
}

const payloadAt = (bytes: Buffer, at: number): string =>
  bytes.toString('utf8', at + HEAD_BYTES, at + HEAD_BYTES + bytes.readUInt32LE(at + 2));

/** The first fact of a batch holds the time of all of them. */
function timeOf(codec: Codec, bytes: Buffer, first: number): number {
  const told = peekTime(bytes, first + HEAD_BYTES);
  if (told !== null) return told;
  const decoded = codec.decode(payloadAt(bytes, first));
  return 'newer' in decoded ? decoded.ts : decoded.fact.ts;
}

function changed(path: string, offset: number, seq: number): LedgerError {
  return new LedgerError('damaged', `${path} was changed at byte ${offset} since it was opened`, {
    path,
    offset,
    lastGoodSeq: seq - 1,
  });
}
