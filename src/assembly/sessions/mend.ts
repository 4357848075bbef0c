/** Checking and mending a ledger for a person who asked for it. */
import { closeAfterRepair } from '#kernel';
import type { Store } from '#ledger';
import type { Result } from '#lib';
import type { Problem } from '#surfaces/cli';
import { attempt } from '../problem.ts';

export const verifySession = (
  store: Store,
  sessionId: string,
): Promise<Result<{ readonly facts: number; readonly faults: readonly string[] }, Problem>> =>
  attempt(async () => {
    const { report, problems } = await store.verify(sessionId);
    const { facts, damage, tornBytes, newer } = report;
    const faults = [...problems];
    if (damage !== null) {
      const { offset, lastGoodSeq, laterRecords } = damage;
      faults.push(`damaged at byte ${offset}, behind fact ${lastGoodSeq}; ${laterRecords} later facts still check`);
    }
    if (tornBytes > 0) faults.push(`the last ${tornBytes} bytes are an interrupted write; the next run cuts them`);
    for (const { seq, type, version } of newer)
      faults.push(`fact ${seq} (${type}, version ${version}) is of a newer Belay`);
    return { facts: facts.length, faults };
  });

export const repairSession = (store: Store, sessionId: string): Promise<Result<readonly string[], Problem>> =>
  attempt(async () => {
    let open = 0;
    const done = await store.repair(sessionId, (facts) => {
      const bodies = closeAfterRepair(facts);
      open = bodies.filter((body) => body.type === 'attempt.outcome').length;
      return bodies;
    });
    if (done === null) return [];
    return [
      `damaged at byte ${done.offset}: ${done.lost} facts are lost, ${done.later} later ones were kept`,
      ...(open === 0
        ? []
        : [`${open} calls were open there; whether they took effect is asked: belay sessions show ${sessionId}`]),
      `the file as it was: ${done.kept}`,
    ];
  });
