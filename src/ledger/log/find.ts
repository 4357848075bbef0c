/** Facts of some types, read from the places that an index tells; what lies between them is not looked at. */
import type { Fact } from '#kernel';
import { type Codec, newerError } from '../codec.ts';
import { LedgerError, systemError } from '../error.ts';
import { type Disk, readFully } from './disk.ts';
import type { FactIndex } from './fact-index.ts';
import { frameChecks, HEAD_BYTES } from './frame.ts';
import { peekTime, UNREAD } from './peek.ts';
import { walkBatch } from './walk.ts';

const WINDOW_BYTES = 64 * 1024;

/** In order, from `fromSeq` to `toSeq`. Throws `LedgerError` `damaged` where the file is not any more as it was indexed. */
export function* findFacts(
  disk: Disk,
  path: string,
  codec: Codec,
  index: FactIndex,
  types: ReadonlySet<string>,
  codes: ReadonlySet<number>,
  fromSeq: number,
  toSeq: number,
): Generator<Fact> {
  const wanted = (code: number) => code === UNREAD || codes.has(code);
  let fd: number | null = null;
  let window: Buffer = Buffer.alloc(0);
  let base = 0;
  try {
    for (const { from, to, firstSeq } of index.holding(wanted, fromSeq, toSeq)) {
      fd ??= disk.open(path, 'r');
      if (from < base || to > base + window.length) {
        window = readFully(disk, fd, from, Math.max(to - from, WINDOW_BYTES));
        base = from;
      }
      const { facts: frames, end } = walkBatch(window, from - base, Math.min(to - base, window.length));
      if (end !== 'commit') throw changed(path, from, firstSeq);
      let ts: number | null = null;
      for (const [i, at] of frames.entries()) {
        const seq = firstSeq + i;
        if (seq < fromSeq || !wanted(index.code(seq))) continue;
        if (seq > toSeq) return;
        if (!frameChecks(window, at)) throw changed(path, base + at, seq);
        ts ??= timeOf(codec, window, frames[0] as number);
        const decoded = codec.decode(payloadAt(window, at), ts);
        if ('newer' in decoded) throw newerError(decoded.newer);
        if (types.has(decoded.fact.type)) yield decoded.fact;
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
