import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Fact, FactBody } from '#kernel';
import type { Codec } from '../codec.ts';
import type { Repair } from '../contract.ts';
import { errnoOf, LedgerError, systemError } from '../error.ts';
import { syncFolder } from '../folders.ts';
import { encodeBatch } from '../log/batch.ts';
import { type Disk, writeFully } from '../log/disk.ts';
import { headerFrame } from '../log/frame.ts';
import { salvage, timeOf } from './salvage.ts';

/** Facts in one batch of a rewritten file. */
const BATCH = 1000;

/**
 * Replaces a damaged ledger file by one that holds everything that can still be read, every lost fact as
 * `record.lost` under its old number, then `ledger.repaired` and what `closing` adds. The file as it was stays beside
 * it. Null for a file without damage; nothing is touched then, nor where no fact can be read: that is `damaged`. `noted`: the number of a fact that was there once. The
 * caller holds the lock. Throws `LedgerError`.
 */
export async function repairLog(
  disk: Disk,
  path: string,
  codec: Codec,
  nowMs: number,
  closing: (facts: readonly Fact[]) => readonly FactBody[],
  noted = 0,
): Promise<Repair | null> {
  const found = readSalvage(disk, path, codec, noted);
  if (found.offset === null) return null;
  const { offset } = found;
  if (found.payloads.every((payload) => payload === null)) {
    const why = 'its bytes were changed as a whole, for example by a conversion of line ends or of its encoding';
    const next = 'bring back a copy of it, or remove the session with belay sessions rm';
    throw new LedgerError('damaged', `nothing of ${path} can be read, so it stays as it is: perhaps ${why}; ${next}`, {
      path,
      offset,
      lastGoodSeq: 0,
    });
  }
  let ts = 0;
  const payloads = found.payloads.map((payload, i) => {
    if (payload === null) return codec.encode({ type: 'record.lost', offset }, i + 1, ts);
    ts = timeOf(payload);
    return payload;
  });
  const facts = payloads.flatMap((payload) => {
    const decoded = codec.decode(payload);
    return 'newer' in decoded ? [] : [decoded.fact];
  });
  const kept = keptName(path);
  const bodies: FactBody[] = [
    { type: 'ledger.repaired', kept, lost: found.lost, later: found.later },
    ...closing(facts),
  ];
  const last = bodies.map((body, i) => codec.encode(body, payloads.length + 1 + i, nowMs));
  const fresh = `${path}.repaired`;
  try {
    writeLog(disk, fresh, payloads, last);
    // The file as it was keeps its bytes under the second name before the first one is taken over.
    linkSync(path, join(dirname(path), kept));
    renameSync(fresh, path);
    await syncFolder(dirname(path));
  } catch (thrown) {
    rmSync(fresh, { force: true });
    throw systemError(thrown, path);
  }
  return { offset, lost: found.lost, later: found.later, problems: found.problems, kept: join(dirname(path), kept) };
}

function readSalvage(disk: Disk, path: string, codec: Codec, noted: number) {
  try {
    const fd = disk.open(path, 'r');
    try {
      return salvage(disk, fd, path, codec, noted);
    } finally {
      disk.close(fd);
    }
  } catch (thrown) {
    throw systemError(thrown, path);
  }
}

function writeLog(disk: Disk, path: string, payloads: readonly string[], closing: readonly string[]): void {
  rmSync(path, { force: true });
  const fd = disk.open(path, 'wx', 0o600);
  try {
    let before = headerFrame();
    let skip = 0;
    let size = 0;
    let lastSeq = 0;
    const add = (batch: readonly string[]): void => {
      lastSeq += batch.length;
      const { bytes, skip: known, tail } = encodeBatch(batch, lastSeq, before);
      skip = size === 0 ? 0 : known;
      writeFully(disk, fd, bytes, skip, size);
      size += bytes.length - skip;
      before = tail;
    };
    for (let at = 0; at < payloads.length; at += BATCH) add(payloads.slice(at, at + BATCH));
    add(closing);
    fsyncSync(fd);
  } finally {
    disk.close(fd);
  }
}

/** A name that is not taken: earlier repairs keep theirs. */
function keptName(path: string): string {
  for (let n = 1; ; n++) {
    const name = `ledger.damaged-${n}`;
    try {
      closeSync(openSync(join(dirname(path), name), 'r'));
    } catch (thrown) {
      if (errnoOf(thrown) === 'ENOENT') return name;
      throw new LedgerError('io', `${name} cannot be looked at`, { path }, { cause: thrown });
    }
  }
}
