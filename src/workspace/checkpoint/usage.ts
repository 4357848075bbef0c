import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** About how much the store holds, and when it was last pruned (Unix milliseconds). */
export interface Usage {
  readonly bytes: number;
  readonly prunedMs: number;
}

const NAME = 'usage.json';

export function readUsage(folder: string): Usage {
  try {
    const { bytes, prunedMs } = JSON.parse(readFileSync(join(folder, NAME), 'utf8')) as Partial<Usage>;
    return { bytes: bytes ?? 0, prunedMs: prunedMs ?? 0 };
  } catch {
    return { bytes: 0, prunedMs: 0 };
  }
}

/** Losing it costs one more look at the store. */
export function writeUsage(folder: string, usage: Usage): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const fresh = join(folder, `${NAME}.${process.pid}`);
    writeFileSync(fresh, JSON.stringify(usage), { mode: 0o600 });
    renameSync(fresh, join(folder, NAME));
  } catch {
    // See above.
  }
}
