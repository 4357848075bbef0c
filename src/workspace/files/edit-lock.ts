/**
 * The lock around "verify, then replace" between Belay processes on one workspace.
 *
 * It is a database lock of the system, so the kernel frees it when its holder dies, and no age or process id is ever
 * a reason to steal it. The file holds no data and is opened by nobody else: closing any other descriptor on it would
 * lose the lock in silence.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '#lib';
import { WorkspaceError } from '../workspace-error.ts';

const WAIT_MAX_MS = 30_000;

export type EditLock = <T>(critical: () => Promise<T>) => Promise<T>;

/** `folder` null: excludes only edits of this lock object. Throws `busy` when another process holds it for 30 s. */
export function editLock(folder: string | null): EditLock {
  let last: Promise<unknown> = Promise.resolve();
  let database: DatabaseSync | null = null;
  return (critical) => {
    const turn = last.then(async () => {
      if (folder === null) return critical();
      database ??= await openLock(folder);
      await acquire(database);
      try {
        return await critical();
      } finally {
        database.exec('ROLLBACK');
      }
    });
    last = turn.catch(() => undefined);
    return turn;
  };
}

async function openLock(folder: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // No wait inside the database: it would hold up the event loop.
  return new DatabaseSync(join(folder, 'edit.lock'), { timeout: 0 });
}

async function acquire(database: DatabaseSync): Promise<void> {
  const until = performance.now() + WAIT_MAX_MS;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, 50)) {
    try {
      database.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!/locked|busy/i.test(messageOf(error))) throw error;
      if (performance.now() > until) {
        throw new WorkspaceError('busy', 'Another Belay process keeps editing this workspace.', { cause: error });
      }
      // Different pauses keep two waiters from meeting again and again.
      await sleep(pauseMs + Math.random() * pauseMs);
    }
  }
}
