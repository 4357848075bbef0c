/**
 * What was read of the ledgers for their list, kept in one file of the data folder.
 *
 * 1. It decides nothing: it may be deleted at any time, and one that cannot be written is no fault.
 * 2. A row stands for a file of the same identity, size and times of change. Anything else is read again.
 * 3. A file that was changed a moment ago is not kept: a second change within one tick of the file system's clock could
 *    not be told from the first.
 * 4. An index that is damaged, or that another version of the program made, is thrown away.
 */
import { renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import type { SessionSummary } from './contract.ts';
import { readRegular } from './regular.ts';

export interface ListIndex {
  /** What was read of this file as it is; null where nothing is known. */
  find(sessionId: string, stats: Stats): SessionSummary | null;
  /** `stats` as they were at `lookedMs`, before the file was read. */
  keep(summary: SessionSummary, stats: Stats, lookedMs: number): void;
  /** Leaves behind what was found and kept, unless that is what the file says already. */
  save(): void;
}

/** A session, then identity, size and times of its ledger. */
type Row = readonly [SessionSummary, dev: number, ino: number, size: number, mtimeMs: number, ctimeMs: number];

/** Above the tick of any file system that keeps fractions of a millisecond. */
const FINE_TICK_MS = 100;
/** FAT counts in pairs of seconds. */
const COARSE_TICK_MS = 2_500;

const pathIn = (home: string): string => `${home}/session-list`;
/** One name for all who write: where two do so at once the result is not whole, and is thrown away. */
const temporaryIn = (home: string): string => `${home}/session-list.new`;

/** Removes what the index remembers of all sessions; the next list makes it anew. */
export function forgetList(home: string): void {
  for (const path of [pathIn(home), temporaryIn(home)]) {
    try {
      rmSync(path, { force: true });
    } catch {
      // A folder that cannot be written: the next list leaves the row out as well.
    }
  }
}

export function openListIndex(home: string, program: string): ListIndex {
  const known = read(home, program);
  const rows: Row[] = [];
  let isChanged = false;
  return {
    find(sessionId, { dev, ino, size, mtimeMs, ctimeMs }) {
      const row = known.get(sessionId);
      if (row === undefined || row[1] !== dev || row[2] !== ino || row[3] !== size) return null;
      if (row[4] !== mtimeMs || row[5] !== ctimeMs) return null;
      rows.push(row);
      return row[0];
    },
    keep(summary, { dev, ino, size, mtimeMs, ctimeMs }, lookedMs) {
      if (lookedMs - ctimeMs < (Number.isInteger(ctimeMs) ? COARSE_TICK_MS : FINE_TICK_MS)) return;
      rows.push([summary, dev, ino, size, mtimeMs, ctimeMs]);
      isChanged = true;
    },
    save() {
      if (isChanged || rows.length !== known.size) write(home, program, rows);
    },
  };
}

/** The file holds the same line twice: to compare the two costs nothing, where a checksum costs a millisecond. */
function read(home: string, program: string): ReadonlyMap<string, Row> {
  try {
    const bytes = readRegular(pathIn(home));
    const half = bytes.length / 2;
    if (bytes.compare(bytes, half, bytes.length, 0, half) !== 0) return new Map();
    const [made, rows] = JSON.parse(bytes.toString('utf8', 0, half)) as readonly [string, readonly Row[]];
    return new Map(made === program ? rows.map((row) => [row[0].sessionId, row]) : []);
  } catch {
    return new Map();
  }
}

function write(home: string, program: string, rows: readonly Row[]): void {
  try {
    const line = `${JSON.stringify([program, rows])}\n`;
    writeFileSync(temporaryIn(home), line + line, { mode: 0o600 });
    renameSync(temporaryIn(home), pathIn(home));
  } catch {
    // Without an index the next list takes longer.
  }
}
