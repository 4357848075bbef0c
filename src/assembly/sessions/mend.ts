/** Checking and mending a ledger for a person who asked for it. */
import path from 'node:path';
import { closeAfterRepair } from '#kernel';
import type { Repair, Store } from '#ledger';
import { counted, type Result } from '#lib';
import type { Problem } from '#surfaces/cli';
import { begunAttempts } from '#workspace';
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
      const { offset, lastGoodSeq, laterRecords, problem } = damage;
      const why = problem === undefined ? '' : ` (${problem})`;
      const later = `${counted(laterRecords, 'later fact')} still ${laterRecords === 1 ? 'checks' : 'check'}`;
      faults.push(`damaged at byte ${offset}, behind fact ${lastGoodSeq}${why}; ${later}`);
    }
    if (tornBytes > 0) faults.push(`the last ${tornBytes} bytes are an interrupted write; the next run cuts them`);
    for (const { seq, type, version } of newer)
      faults.push(`fact ${seq} (${type}, version ${version}) is of a newer Belay`);
    return { facts: facts.length, faults };
  });

/** What was done, and what stays wrong because nothing can bring it back. */
export const repairSession = (
  store: Store,
  sessionId: string,
): Promise<Result<{ readonly done: readonly string[]; readonly left: readonly string[] }, Problem>> =>
  attempt(async () => {
    let open = 0;
    const attempts = path.join(store.home, 'sessions', sessionId, 'exec');
    const repair = await store.repair(sessionId, (facts) => {
      const bodies = closeAfterRepair(facts, begunAttempts(attempts));
      open = bodies.filter((body) => body.type === 'attempt.outcome').length;
      return bodies;
    });
    const { report, problems } = await store.verify(sessionId);
    const left = [
      ...problems,
      ...(report.damage?.problem === undefined ? [] : [report.damage.problem]),
      ...report.newer.map(({ seq, type }) => `fact ${seq} (${type}) is of a newer Belay: update Belay to read it`),
    ];
    return { done: repair === null ? [] : doneLines(sessionId, repair, open), left };
  });

function doneLines(sessionId: string, { offset, lost, later, problems, kept }: Repair, open: number): string[] {
  const gone = `${counted(lost, 'fact')} ${lost === 1 ? 'is' : 'are'} lost`;
  const rest = later === 0 ? '' : `, ${counted(later, 'later one')} ${later === 1 ? 'was' : 'were'} kept`;
  const asked = open === 1 ? 'whether it took effect is asked' : 'whether they took effect is asked';
  return [
    `damaged at byte ${offset}: ${gone}${rest}`,
    ...problems.map((problem) => `lost though its bytes are whole: ${problem}`),
    ...(open === 0
      ? []
      : [
          `${counted(open, 'call')} ${open === 1 ? 'was' : 'were'} open there; ${asked}: belay sessions show ${sessionId}`,
        ]),
    `the file as it was: ${kept}`,
  ];
}
