import { type Dirent, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface PruneLimits {
  /** Objects that nobody used for so long go. */
  readonly ageMaxMs: number;
  /** Above this the oldest objects go, until a fifth is free again. */
  readonly storeBytesMax: number;
}

/** Keeps the store within its limits; returns the bytes that are left. Objects of the last minutes may be in use. */
export async function pruneObjects(folder: string, limits: PruneLimits): Promise<number> {
  const found: { readonly path: string; readonly bytes: number; readonly usedMs: number }[] = [];
  for (const part of list(join(folder, 'objects'))) {
    for (const entry of list(join(folder, 'objects', part.name))) {
      const path = join(folder, 'objects', part.name, entry.name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat !== undefined) found.push({ path, bytes: stat.size, usedMs: stat.mtimeMs });
    }
    await nextTurn();
  }
  let total = found.reduce((sum, { bytes }) => sum + bytes, 0);
  const roomFrom = total > limits.storeBytesMax ? limits.storeBytesMax * 0.8 : Number.POSITIVE_INFINITY;
  const now = Date.now();
  for (const { path, bytes, usedMs } of found.sort((a, b) => a.usedMs - b.usedMs)) {
    if (now - usedMs < IN_USE_MS || (now - usedMs < limits.ageMaxMs && total <= roomFrom)) break;
    rmSync(path, { force: true });
    total -= bytes;
  }
  return total;
}

const IN_USE_MS = 10 * 60_000;

function list(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
