/**
 * The folder of all sessions. Each session stands alone: what is wrong with one is said about that one and never keeps
 * another from being listed, opened or made.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { blobsOf } from '#kernel';
import { isSessionId, messageOf } from '#lib';
import { makeLedger } from './appender.ts';
import { fileBlobs } from './blobs.ts';
import { codec } from './codec.ts';
import type { Damage, FirstReader, LedgerReport, Store, WritableLedger } from './contract.ts';
import { emptiedDamage } from './emptied.ts';
import { errnoOf, LedgerError, systemError } from './error.ts';
import { makeFolders, randomId } from './folders.ts';
import { importFolder } from './import.ts';
import { openInbox } from './inbox.ts';
import { LEAVING, LOG, listSessions } from './list.ts';
import { forgetList } from './list-index.ts';
import { acquireLock, type Lock } from './lock.ts';
import { type Disk, realDisk } from './log/disk.ts';
import { damagedError, openLog } from './log/open.ts';
import { readLog } from './log/read.ts';
import { readOwner } from './owner.ts';
import { recentFacts } from './recent.ts';
import { repairLog } from './repair/rewrite.ts';
import { endNote, notedEnd, shortenedDamage } from './shortened.ts';

export interface StoreOptions {
  /** The data folder; made when the first session is. */
  readonly home: string;
  /** Unix time in milliseconds; default `Date.now`. */
  readonly now?: () => number;
  readonly disk?: Disk;
  /** Name and version of the program; see `ListOptions`. */
  readonly program?: string;
  /** Stored bytes of its own facts that a writer keeps in memory; default 1 MiB. All others are read from the file. */
  readonly recentBytesMax?: number;
}

const RECENT_BYTES_MAX = 1024 * 1024;

export function openStore(options: StoreOptions): Store {
  const home = resolve(options.home);
  const sessions = join(home, 'sessions');
  const disk = options.disk ?? realDisk;
  const now = options.now ?? Date.now;

  const existing = (sessionId: string): string => {
    const folder = join(sessions, sessionId);
    if (isSessionId(sessionId) && existsSync(join(folder, LOG))) return folder;
    throw new LedgerError('missing', `there is no session ${sessionId}`, { path: folder });
  };

  const hold = (
    folder: string,
    sessionId: string,
    lock: Lock,
    folders: readonly string[],
    reader?: FirstReader,
  ): WritableLedger => {
    const recent = recentFacts(options.recentBytesMax ?? RECENT_BYTES_MAX);
    const end = endNote(folder);
    const log = openLog(disk, join(folder, LOG), codec, recent, folders, reader, end.noted());
    const emptied = log.lastSeq === 0 ? emptiedDamage(folder) : null;
    if (emptied !== null) {
      void log.sink.close();
      throw damagedError(join(folder, LOG), emptied);
    }
    let written = log.lastSeq;
    let flushed = 0;
    const path = join(folder, LOG);
    let isLost = false;
    const refuseLost = (): void => {
      if (!isLost) return;
      const what = `the lock of session ${sessionId} was removed while it was held, so another process may go on with it`;
      throw new LedgerError('locked', `${what}; this one stops`, { path });
    };
    const write: typeof log.sink.write = (payloads, lastSeq) => {
      refuseLost();
      log.sink.write(payloads, lastSeq);
      written = lastSeq;
    };
    const flush = async (): Promise<void> => {
      const upTo = written;
      await log.sink.flush();
      flushed = Math.max(flushed, upTo);
      // Behind the sync, because the effect that it precedes comes next.
      isLost ||= !lock.isHeld();
      refuseLost();
      // Each time, because the effect that follows leaves traces, and a killed writer makes no other note.
      end.note(flushed);
    };
    const close = async (): Promise<void> => {
      try {
        await log.sink.close();
        end.note(flushed);
      } finally {
        end.close();
        lock.release();
      }
    };
    const discard = async (): Promise<void> => {
      try {
        await log.sink.close();
        takeAway(folder);
      } finally {
        end.close();
        lock.release();
      }
    };
    const ledger = makeLedger({
      sessionId,
      folder,
      codec,
      recent,
      lastSeq: log.lastSeq,
      blobs: fileBlobs(join(folder, 'blobs')),
      now,
      sink: { ...log.sink, write, flush, close },
    });
    return Object.defineProperties(ledger, {
      torn: { value: log.torn, enumerable: true },
      mark: { value: log.mark, enumerable: true },
      discard: { value: discard, enumerable: true },
    }) as WritableLedger;
  };

  /** The holder of its lock removes a session: out of the list in one step, so an interruption leaves no half of one. */
  const takeAway = (folder: string): void => {
    const leaving = join(sessions, `${LEAVING}${basename(folder)}-${randomId()}`);
    try {
      renameSync(folder, leaving);
      forgetList(home);
      rmSync(leaving, { recursive: true, force: true });
    } catch (thrown) {
      throw systemError(thrown, folder);
    }
  };

  const readReport = (sessionId: string): LedgerReport => {
    const folder = existing(sessionId);
    const path = join(folder, LOG);
    const facts: LedgerReport['facts'][number][] = [];
    // Before the ledger itself: what grows meanwhile is not missing.
    const noted = notedEnd(folder);
    const reading = readLog(disk, path, codec);
    for (;;) {
      const next = reading.next();
      if (next.done) {
        const { lastSeq, tornBytes, goodBytes, damage, newer } = next.value;
        const missing = shortenedDamage(noted, lastSeq, goodBytes);
        const emptied = lastSeq === 0 ? emptiedDamage(folder) : null;
        return { facts, tornBytes, damage: damage ?? missing ?? emptied, newer };
      }
      for (const fact of next.value.facts) facts.push(fact);
    }
  };

  return {
    home,
    async create(sessionId) {
      if (!isSessionId(sessionId)) throw new LedgerError('invalid', `${sessionId} cannot name a session`);
      const folder = join(sessions, sessionId);
      const above = makeFolders(sessions).map((made) => dirname(made));
      makeSession(disk, folder, sessionId);
      // Without the lock nothing is taken back, and with it only what is empty: whoever was quicker may have begun it.
      const lock = await acquireLock(folder, sessionId);
      return releasing(lock, () => {
        if (statSync(join(folder, LOG)).size > 0) throw takenError(folder, sessionId);
        try {
          return hold(folder, sessionId, lock, [folder, sessions, ...above]);
        } catch (thrown) {
          takeAway(folder);
          throw thrown;
        }
      });
    },
    async openWriter(sessionId, reader) {
      const folder = existing(sessionId);
      const lock = await acquireLock(folder, sessionId);
      return releasing(lock, () => hold(existing(sessionId), sessionId, lock, [folder, sessions], reader));
    },
    openReader: async (sessionId) => readReport(sessionId),
    async verify(sessionId) {
      const report = readReport(sessionId);
      const problems = report.facts.flatMap(({ seq, ts: _, ...body }) =>
        codec.misfits(body).map((problem) => `fact ${seq} (${body.type}) ${problem}`),
      );
      const blobs = fileBlobs(join(existing(sessionId), 'blobs'));
      for (const fact of report.facts) {
        for (const hash of blobsOf(fact)) {
          await blobs.get(hash).catch((thrown: unknown) => problems.push(`fact ${fact.seq}: ${messageOf(thrown)}`));
        }
      }
      return { report, problems };
    },
    getBlob: async (sessionId, hash) => fileBlobs(join(existing(sessionId), 'blobs')).get(hash),
    inbox: (sessionId) => openInbox(existing(sessionId)),
    holder: async (sessionId) => readOwner(existing(sessionId)),
    list: () => listSessions({ home, disk, ...(options.program === undefined ? {} : { program: options.program }) }),
    async remove(sessionId, first) {
      const folder = existing(sessionId);
      const lock = await acquireLock(folder, sessionId);
      try {
        await first?.(folder);
        takeAway(folder);
      } finally {
        lock.release();
      }
    },
    async exportTo(sessionId, path) {
      const folder = existing(sessionId);
      const target = resolve(path);
      let isOurs = false;
      try {
        mkdirSync(target, { mode: 0o700 });
        isOurs = true;
        // The ledger first: a blob is stored before the fact that names it, so none can be missing in the copy.
        copyFileSync(join(folder, LOG), join(target, LOG));
        const damage = cutCopy(disk, join(target, LOG));
        const blobs = join(folder, 'blobs');
        if (existsSync(blobs)) await cp(blobs, join(target, 'blobs'), { recursive: true });
        return damage;
      } catch (thrown) {
        if (isOurs) rmSync(target, { recursive: true, force: true });
        throw systemError(thrown, target);
      }
    },
    async repair(sessionId, closing) {
      const folder = existing(sessionId);
      const lock = await acquireLock(folder, sessionId);
      try {
        return await repairLog(disk, join(folder, LOG), codec, now(), closing, notedEnd(folder));
      } finally {
        lock.release();
      }
    },
    async importFrom(path, closing) {
      makeFolders(sessions);
      return importFolder({ disk, codec, sessions, nowMs: now() }, resolve(path), closing);
    },
  };
}

/** A batch that was being written while the file was copied is no part of the copy. Returns the damage that is. */
function cutCopy(disk: Disk, path: string): Damage | null {
  const reading = readLog(disk, path, codec, { fromSeq: Number.POSITIVE_INFINITY });
  let next = reading.next();
  while (!next.done) next = reading.next();
  if (next.value.tornBytes > 0) truncateSync(path, next.value.goodBytes);
  return next.value.damage;
}

function makeSession(disk: Disk, folder: string, sessionId: string): void {
  let isOwn = true;
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw systemError(thrown, folder);
    if (!isHalfMade(folder)) throw takenError(folder, sessionId);
    isOwn = false;
  }
  try {
    for (const part of PARTS) mkdirSync(join(folder, part), { recursive: true, mode: 0o700 });
    disk.close(disk.open(join(folder, LOG), 'wx', 0o600));
  } catch (thrown) {
    if (errnoOf(thrown) === 'EEXIST') throw takenError(folder, sessionId);
    // Somebody else may have gone on with it: only what is empty goes.
    if (isOwn) removeEmpty(folder);
    throw systemError(thrown, folder);
  }
}

const takenError = (folder: string, sessionId: string): LedgerError =>
  new LedgerError('exists', `session ${sessionId} exists already`, { path: folder });

function removeEmpty(folder: string): void {
  if (existsSync(join(folder, LOG))) return;
  for (const name of [...PARTS, '.']) {
    try {
      rmdirSync(join(folder, name));
    } catch {
      // It is not there, or holds something.
    }
  }
}

const PARTS = ['blobs', 'exec', 'inbox'];

/** What a program left behind that was killed while it made the folder of a session: its parts, as far as it came. */
const isHalfMade = (folder: string): boolean =>
  readdirSync(folder, { withFileTypes: true }).every(
    (entry) => entry.isDirectory() && PARTS.includes(entry.name) && readdirSync(join(folder, entry.name)).length === 0,
  );

function releasing<T>(lock: Lock, open: () => T): T {
  try {
    return open();
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}
