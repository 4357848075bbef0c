/**
 * How far a ledger had come at its last flush, in a file beside it: a ledger that was cut or emptied later is whole up to
 * its end, and nothing in it tells that there was more. Each effect comes behind a flush, so none is forgotten with its
 * start.
 *
 * The note may be missing or lag behind (it is not flushed itself); it never runs ahead of what was flushed.
 */
import { join } from 'node:path';
import type { Damage } from './contract.ts';
import { readRegular, writeRegular } from './regular.ts';

const END = 'ledger.end';

/** `seq`: the last fact that is on disk. Losing the note costs nothing but the proof. */
export function noteEnd(folder: string, seq: number): void {
  try {
    writeRegular(join(folder, END), `${seq}\n`);
  } catch {
    // A full disk, or a folder that was taken away: the ledger tells its own story.
  }
}

/** Number of the last fact that was there once, as far as the note goes; 0 where there is none. */
export function notedEnd(folder: string): number {
  try {
    const text = readRegular(join(folder, END)).toString('latin1');
    return /^[1-9]\d{0,8}\n$/.test(text) ? Number(text) : 0;
  } catch {
    return 0;
  }
}

/** The damage of a ledger that ends at `lastSeq`, byte `offset`, before the noted end. Null where nothing is missing. */
export function shortenedDamage(noted: number, lastSeq: number, offset: number): Damage | null {
  if (noted <= lastSeq) return null;
  const problem =
    lastSeq === 0
      ? `the ledger is empty, but its session had begun: ${noted} facts were stored`
      : `the ledger ends here, but ${noted} facts were stored`;
  return { offset, lastGoodSeq: lastSeq, laterRecords: 0, problem };
}
