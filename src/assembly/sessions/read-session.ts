/** Reading a session without its lock: whole, or as it grows. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Fact } from '#kernel';
import type { LedgerReport, Store } from '#ledger';
import type { Result } from '#lib';
import type { Problem, SessionRecord } from '#surfaces/cli';
import { attempt } from '../problem.ts';

/** How often a growing ledger is looked at. */
const pollMs = 100;

export const readSession = (store: Store, sessionId: string): Promise<Result<SessionRecord, Problem>> =>
  attempt(async () => {
    const report = await store.openReader(sessionId);
    return {
      sessionId,
      facts: report.facts,
      folder: path.join(store.home, 'sessions', sessionId),
      damage: damageOf(report, sessionId),
      torn:
        report.tornBytes === 0
          ? null
          : `the last write was interrupted: facts up to ${report.facts.at(-1)?.seq ?? 0} are good, ${report.tornBytes} bytes behind them are not read`,
    };
  });

function damageOf({ damage, newer }: LedgerReport, sessionId: string): string | null {
  if (damage !== null) {
    return `session ${sessionId} is damaged at byte ${damage.offset}: facts up to ${damage.lastGoodSeq} are good, ${damage.laterRecords} later records still check but are not shown; belay sessions repair ${sessionId} brings back what can be`;
  }
  const first = newer[0];
  if (first === undefined) return null;
  return `session ${sessionId} holds ${newer.length} facts of a newer Belay, the first is number ${first.seq} (${first.type}, version ${first.version}); they are not shown`;
}

/** Facts after `seq` as they are written, until the signal aborts. */
export async function followSession(
  store: Store,
  sessionId: string,
  seq: number,
  onFacts: (facts: readonly Fact[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const file = path.join(store.home, 'sessions', sessionId, 'ledger.log');
  let told = seq;
  let size = -1;
  while (!signal.aborted) {
    const now = await stat(file).then(
      (found) => found.size,
      () => null,
    );
    if (now === null) return;
    if (now !== size) {
      size = now;
      const { facts } = await store.openReader(sessionId);
      const fresh = facts.filter((fact) => fact.seq > told);
      told = facts.at(-1)?.seq ?? told;
      if (fresh.length > 0) onFacts(fresh);
      if (signal.aborted) return;
    }
    await pause(signal);
  }
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, pollMs);
    signal.addEventListener('abort', done, { once: true });
  });
}
