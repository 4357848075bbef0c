/**
 * The end of a ledger file that grows.
 *
 * 1. One write per batch, at the position where the last good batch ended; the file must be exactly as long as we left it.
 * 2. After a failed or short write the file is cut back before anything else is tried.
 * 3. Flushes that are asked for while one runs share the next one. After a failed sync the kernel may have dropped the
 *    dirty pages and would report success next time, so this writer refuses everything from then on.
 */
import { messageOf } from '#lib';
import type { Mark } from '../contract.ts';
import { LedgerError, systemError } from '../error.ts';
import { encodeBatch } from './batch.ts';
import { type Disk, writeFully } from './disk.ts';
import { headerFrame } from './frame.ts';
import type { LogEnd } from './scan.ts';

export interface LogWriter {
  /** Returns where the batch lies in the file. Throws `LedgerError`; the file is then as it was before. */
  append(payloads: readonly string[], lastSeq: number): { readonly from: number; readonly to: number };
  flush(): Promise<void>;
  /** The end of the last batch; null while there is none. */
  mark(): Mark | null;
  /** Waits for a running sync, without starting one. */
  close(): Promise<void>;
}

/**
 * `syncNames` makes the names of file and folders durable. It runs with the first flush, which always syncs: what a
 * killed writer appended before us was written, but perhaps never flushed.
 */
export function logWriter(
  disk: Disk,
  fd: number,
  path: string,
  end: Pick<LogEnd, 'goodBytes' | 'before' | 'lastSeq' | 'hash'>,
  syncNames: () => Promise<void>,
): LogWriter {
  let size = end.goodBytes;
  let before = end.before;
  let last = end.lastSeq;
  let mustCut = false;
  let failed: LedgerError | null = null;
  let written = 1;
  let synced = 0;
  let names: (() => Promise<void>) | null = syncNames;
  let running: Promise<void> | null = null;
  let queued: Promise<void> | null = null;

  const cut = (): void => {
    mustCut = true;
    disk.truncate(fd, size);
    mustCut = false;
  };

  /** Two writers mean that a lock was lost. Cutting back would destroy what the other one wrote, so this one is finished. */
  const refuseForeign = (): void => {
    let found: number;
    try {
      found = disk.sizeToWrite?.(fd) ?? disk.size(fd);
    } catch (thrown) {
      failed = systemError(thrown, path);
      throw failed;
    }
    if (found === size) return;
    failed = new LedgerError('io', `another program changed the length of ${path}; nothing was written`, { path });
    throw failed;
  };

  const sync = async (): Promise<void> => {
    const covers = written;
    try {
      await Promise.all([disk.datasync(fd), names?.()]);
      names = null;
      synced = covers;
    } catch (thrown) {
      const cause = systemError(thrown, path);
      failed = new LedgerError(
        cause.code,
        `${cause.message}; what was not yet flushed may be lost`,
        { path },
        { cause },
      );
      throw failed;
    } finally {
      running = null;
    }
  };

  return {
    append(payloads, lastSeq) {
      if (failed) throw failed;
      if (!mustCut) refuseForeign();
      try {
        if (mustCut) cut();
        const head = size === 0 ? headerFrame() : before;
        const batch = encodeBatch(payloads, lastSeq, head);
        const from = size === 0 ? 0 : batch.skip;
        writeFully(disk, fd, batch.bytes, from, size);
        const begins = size + batch.skip - from;
        size += batch.bytes.length - from;
        end.hash?.add(batch.bytes.subarray(from));
        before = batch.tail;
        last = lastSeq;
        written++;
        return { from: begins, to: size };
      } catch (thrown) {
        try {
          cut();
        } catch (again) {
          const error = systemError(thrown, path);
          throw new LedgerError(
            error.code,
            `${error.message}; cutting back: ${messageOf(again)}`,
            { path },
            { cause: thrown },
          );
        }
        throw systemError(thrown, path);
      }
    },
    mark: () => (last === 0 ? null : (end.hash?.mark(last) ?? null)),
    flush() {
      if (failed) return Promise.reject(failed);
      if (running === null) {
        if (synced === written) return Promise.resolve();
        running = sync();
        return running;
      }
      // The running sync may have begun before the last append; the next one, shared by all who ask now, covers it.
      queued ??= running
        .catch(() => undefined)
        .then(() => {
          queued = null;
          if (failed) throw failed;
          if (synced === written) return undefined;
          running = sync();
          return running;
        });
      return queued;
    },
    async close() {
      try {
        await (queued ?? running);
      } catch {
        // Whoever asked for the flush was told.
      }
      disk.close(fd);
    },
  };
}
