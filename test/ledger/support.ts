import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Fact, FactBody } from '#kernel';
import { LedgerError, openStore, realDisk, type Store, type StoreOptions } from '#ledger';

/** A fresh folder, removed after the test that asked for it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'belay-ledger-'));
  folders.push(folder);
  return folder;
}
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export const freshStore = (options: Omit<StoreOptions, 'home'> = {}): Store =>
  openStore({ home: join(temporaryFolder(), 'data'), ...options });

export const logOf = (store: Store, sessionId: string): string => join(store.home, 'sessions', sessionId, 'ledger.log');

export const waited = (waitedMs: number): FactBody => ({ type: 'backoff.ended', waitedMs });
export const said = (text: string): FactBody => ({ type: 'input.received', text });
export const created = (sessionId: string): FactBody => ({
  type: 'session.created',
  sessionId,
  workspace: '/work/place',
  version: '0.1.0',
});

/** What was appended, without what the ledger adds. */
export const bodyOf = ({ seq: _, ts: __, ...body }: Fact): FactBody => body as FactBody;

/** The error a call ends with; fails if it does not. */
export async function errorOf(call: () => unknown): Promise<LedgerError> {
  try {
    await call();
  } catch (thrown) {
    if (thrown instanceof LedgerError) return thrown;
    throw thrown;
  }
  throw new Error('expected a LedgerError, but nothing was thrown');
}

/** The real disk, except that chosen calls of one operation go wrong. Counting begins at 1. */
export function faultyDisk(fail: {
  readonly write?: (nth: number) => Error | 'short' | undefined;
  readonly truncate?: (nth: number) => Error | undefined;
  readonly datasync?: (nth: number) => Error | undefined;
}) {
  const calls = { write: 0, truncate: 0, datasync: 0 };
  const disk: typeof realDisk = {
    ...realDisk,
    write(fd, from, at, length, position) {
      const fault = fail.write?.(++calls.write);
      if (fault instanceof Error) throw fault;
      return realDisk.write(fd, from, at, fault === 'short' ? Math.ceil(length / 2) : length, position);
    },
    truncate(fd, size) {
      const fault = fail.truncate?.(++calls.truncate);
      if (fault) throw fault;
      realDisk.truncate(fd, size);
    },
    async datasync(fd) {
      const fault = fail.datasync?.(++calls.datasync);
      if (fault) throw fault;
      await realDisk.datasync(fd);
    },
  };
  return { disk, calls };
}

export const systemFault = (code: string): Error => Object.assign(new Error(`${code}: injected`), { code });
