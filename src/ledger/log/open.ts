/** Opens a ledger file for writing: reads it whole, cuts an interrupted append, and refuses what it must not touch. */
import { existsSync, fsyncSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { counted } from '#lib';
import type { Sink } from '../appender.ts';
import { type Codec, newerError } from '../codec.ts';
import type { Damage, FirstReader, Mark, TornTail } from '../contract.ts';
import { LedgerError, systemError } from '../error.ts';
import { syncFolder } from '../folders.ts';
import type { RecentFacts } from '../recent.ts';
import { shortenedDamage } from '../shortened.ts';
import { type Disk, readFully, writeFully } from './disk.ts';
import { createFactIndex } from './fact-index.ts';
import { findFacts } from './find.ts';
import { knownFacts } from './known.ts';
import { codeOf } from './peek.ts';
import { type ReadEnd, readLog } from './read.ts';
import { logWriter } from './writer.ts';

export interface OpenedLog {
  readonly sink: Sink;
  readonly lastSeq: number;
  readonly torn: TornTail | null;
  mark(): Mark | null;
}

/**
 * `reader` is shown the facts; none of them is kept: `recent` begins behind the last one. `folders` are synced with the
 * first flush: names in them may be new. `noted`: the number of a fact that was there once.
 */
export function openLog(
  disk: Disk,
  path: string,
  codec: Codec,
  recent: RecentFacts,
  folders: readonly string[],
  reader: FirstReader = { see: () => {} },
  noted = 0,
): OpenedLog {
  const told = reader.known?.(dirname(path)) ?? null;
  const known = told === null ? null : knownFacts(told);
  let index = createFactIndex();
  let end = showAll(reader, readLog(disk, path, codec, { index, known, isHashed: true }));
  if (known !== null) {
    reader.judged?.(end.isMet);
    if (!end.isMet) {
      index = createFactIndex();
      end = showAll(reader, readLog(disk, path, codec, { index, isHashed: true }));
    }
  }
  recent.startAt(end.lastSeq + 1);
  const damage = end.damage ?? shortenedDamage(noted, end.lastSeq, end.goodBytes);
  if (damage) throw damagedError(path, damage);
  const [newer] = end.newer;
  if (newer) throw newerError(newer);
  let fd: number;
  try {
    fd = disk.open(path, 'r+');
  } catch (thrown) {
    throw systemError(thrown, path);
  }
  let torn: TornTail | null;
  try {
    torn = end.tornBytes > 0 ? cutTail(disk, fd, path, end) : null;
  } catch (thrown) {
    disk.close(fd);
    throw systemError(thrown, path);
  }
  const writer = logWriter(disk, fd, path, end, () => syncFolders(folders));
  return {
    torn,
    mark: () => writer.mark(),
    lastSeq: end.lastSeq,
    sink: {
      write(payloads, lastSeq) {
        const { from, to } = writer.append(payloads, lastSeq);
        index.add(from, lastSeq - payloads.length + 1, payloads.map(codeOfPayload));
        index.endsAt(to);
      },
      flush: () => writer.flush(),
      close: () => writer.close(),
      *older(fromSeq, toSeq) {
        if (fromSeq > toSeq) return;
        // All of them are decoded many at a time; the last ones are found without reading all before.
        if (fromSeq > 1) {
          yield* findFacts(disk, path, codec, index, null, fromSeq, toSeq);
          return;
        }
        for (const { facts } of readLog(disk, path, codec, { fromSeq })) {
          for (const fact of facts) {
            if (fact.seq > toSeq) return;
            yield fact;
          }
        }
      },
      find: (types, fromSeq, toSeq) => findFacts(disk, path, codec, index, types, fromSeq, toSeq),
    },
  };
}

export function damagedError(path: string, damage: Damage): LedgerError {
  const { offset, lastGoodSeq, laterRecords, problem } = damage;
  const why = problem === undefined ? '' : `: ${problem}`;
  return new LedgerError(
    'damaged',
    `${path} is damaged at byte ${offset}${why}; the last good fact is ${lastGoodSeq}, ${counted(laterRecords, 'later fact')} can still be read`,
    { path, offset, lastGoodSeq },
  );
}

function showAll(reader: FirstReader, facts: ReturnType<typeof readLog>): ReadEnd {
  for (;;) {
    const next = facts.next();
    if (next.done) return next.value;
    reader.see(next.value.facts);
  }
}

/** A payload of our own: the type is the first text in it. */
const codeOfPayload = (payload: string): number => {
  const from = payload.indexOf('"') + 1;
  return codeOf(payload.slice(from, payload.indexOf('"', from)));
};

/** Aside first, on disk, and only then cut. */
function cutTail(disk: Disk, fd: number, path: string, end: ReadEnd): TornTail {
  const keptIn = keepAside(disk, fd, path, end);
  disk.truncate(fd, end.goodBytes);
  fsyncSync(fd);
  return { bytes: end.tornBytes, keptIn };
}

function keepAside(disk: Disk, fd: number, path: string, end: ReadEnd): string {
  const tail = readFully(disk, fd, end.goodBytes, end.tornBytes);
  for (let n = 1; ; n++) {
    const keptIn = join(dirname(path), `ledger.torn-${n}`);
    if (existsSync(keptIn)) continue;
    const copy = disk.open(keptIn, 'wx', 0o600);
    try {
      writeFully(disk, copy, tail, 0, 0);
      fsyncSync(copy);
    } finally {
      disk.close(copy);
    }
    return keptIn;
  }
}

async function syncFolders(folders: readonly string[]): Promise<void> {
  await Promise.all(folders.map(syncFolder));
}
