/** Reading a session without its lock: whole, or as it grows. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Fact } from '#kernel';
import type { LedgerReport, Store } from '#ledger';
import { counted, type Result } from '#lib';
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

/** What is wrong with a ledger, as one sentence; null where nothing is. */
export function damageOf({ damage, newer }: LedgerReport, sessionId: string): string | null {
  if (damage !== null) {
    const { offset, lastGoodSeq, laterRecords, problem } = damage;
    if (offset === 0 && problem !== undefined) {
      return `session ${sessionId} is damaged: ${problem}; belay sessions rm ${sessionId} removes it`;
    }
    const why = problem === undefined ? '' : ` (${problem})`;
    const later = `${counted(laterRecords, 'later record')} still ${laterRecords === 1 ? 'checks but is' : 'check but are'} not shown`;
    return `session ${sessionId} is damaged at byte ${offset}${why}: facts up to ${lastGoodSeq} are good, ${later}; belay sessions repair ${sessionId} brings back what can be`;
  }
  const first = newer[0];
  if (first === undefined) return null;
  const what = counted(newer.length, 'fact');
  return `session ${sessionId} holds ${what} of a newer Belay, not shown here; the first is number ${first.seq} (${first.type}, version ${first.version})`;
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
