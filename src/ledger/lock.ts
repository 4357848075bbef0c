/**
 * One writer per session: an exclusive SQLite transaction on `lock.db`, held as long as the session is.
 *
 * 1. The operating system frees it when the process dies, however it dies; no age or pid rule ever steals it.
 * 2. The handle stays in a module variable: collected as garbage it would give the lock away.
 * 3. This process opens that file in no other way while it holds the lock: closing any second descriptor on it would
 *    drop the lock in silence.
 * 4. Somebody may remove the file all the same. Then the lock binds nobody any more, and who held it must find out
 *    before the next effect: `isHeld` compares what stands under the name with what was locked.
 */
import { accessSync, closeSync, constants, openSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { errnoOf, LedgerError, systemError } from './error.ts';
import { clearOwner, describeHolder, readOwner, writeOwner } from './owner.ts';

export interface Lock {
  /** False once the file that is locked has lost its name. One `stat`. */
  isHeld(): boolean;
  release(): void;
}

/** Long enough that of two simultaneous starters one wins, instead of both backing off. */
const BUSY_TIMEOUT_MS = 100;
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;

const held = new Map<string, DatabaseSync>();

/** Takes the lock of the session in `folder`. Throws `LedgerError`: `locked` (naming the holder), `readonly`, `missing`. */
export async function acquireLock(folder: string, sessionId: string): Promise<Lock> {
  const { DatabaseSync } = await loadSqlite();
  const path = join(folder, 'lock.db');
  let key: string;
  let locked: string | null;
  try {
    key = realpathSync(folder);
    if (held.has(key)) throw lockedError(folder, sessionId);
    createPrivate(path);
    // Without this, everybody who may only read the file would believe to hold the lock.
    accessSync(path, constants.W_OK);
    accessSync(folder, constants.W_OK);
    locked = identityOf(path);
  } catch (thrown) {
    throw systemError(thrown, path);
  }
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    // Nothing is ever written, so a journal file would only be left lying about by a killed holder.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (thrown) {
    database?.close();
    throw sqliteError(thrown, path, () => lockedError(folder, sessionId));
  }
  held.set(key, database);
  writeOwner(folder);
  const isHeld = () => locked !== null && identityOf(path) === locked;
  return {
    isHeld,
    release() {
      if (held.get(key) !== database) return;
      // The name of whoever holds another file by now is not ours to remove.
      if (isHeld()) clearOwner(folder);
      held.delete(key);
      database.close();
    },
  };
}

/** Null where nothing is. Opening the file to ask would drop the lock. */
function identityOf(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.dev} ${stats.ino}`;
}

/** An empty file is an empty database. SQLite itself would create it readable for others. */
function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EEXIST') throw thrown;
  }
}

function lockedError(folder: string, sessionId: string): LedgerError {
  const holder = readOwner(folder);
  return new LedgerError('locked', `session ${sessionId} is held by ${describeHolder(holder)}`, { path: folder });
}

function sqliteError(thrown: unknown, path: string, locked: () => LedgerError): LedgerError {
  const code = thrown instanceof Error && 'errcode' in thrown ? Number(thrown.errcode) & 255 : 0;
  if (code === SQLITE_BUSY) return locked();
  if (code === SQLITE_READONLY)
    return new LedgerError('readonly', `${path} cannot be written`, { path }, { cause: thrown });
  return systemError(thrown, path);
}

/** SQLite is announced as experimental by Node 22; that one warning says nothing to a user of ours. */
async function loadSqlite(): Promise<typeof import('node:sqlite')> {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!/SQLite/.test(String(warning))) emitWarning.call(process, warning, ...rest);
  }) as typeof process.emitWarning;
  try {
    return await import('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
