/**
 * How far a ledger had come at its last flush, in a file beside it: a ledger that was cut or emptied later is whole up to
 * its end, and nothing in it tells that there was more. Each effect comes behind a flush, so none is forgotten with its
 * start.
 *
 * The note may be missing or lag behind (it is not flushed itself); it never runs ahead of what was flushed.
 */
import { closeSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Damage } from './contract.ts';
import { openAnew, readRegular } from './regular.ts';

const END = 'ledger.end';

export interface EndNote {
  /** The end as the note has it; 0 where there is none. */
  noted(): number;
  /** `seq`: the last fact that is on disk. Losing the note costs nothing but the proof. */
  note(seq: number): void;
  close(): void;
}

/** The note of the one who writes the ledger. It stays open, because it is written before every effect. */
export function endNote(folder: string): EndNote {
  let noted = notedEnd(folder);
  let fd: number | null = null;
  return {
    noted: () => noted,
    note(seq) {
      if (seq <= noted) return;
      noted = seq;
      try {
        if (fd === null) fd = openAnew(join(folder, END), `${seq}\n`);
        // Numbers grow, so that nothing of the last one is left.
        else writeSync(fd, `${seq}\n`, 0);
      } catch {
        // A full disk, or a folder that was taken away: the ledger tells its own story.
      }
    },
    close() {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
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
