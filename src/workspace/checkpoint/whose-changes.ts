/**
 * Which of the changes between two looks cannot be the doing of the commands that were started after an instant. File
 * systems stamp every change themselves (`ctime`), and nobody can set that stamp back.
 */
import type { BigIntStats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SeenChange } from '../contract.ts';
import { statAt } from './stat-at.ts';

/** `others`: it was so before the instant. `older`: a new path to a file that is older than it, with unknown content. */
export type Whose = 'others' | 'older';

/** `isKnown`: whether a content lay in the workspace before, wherever. What is not in the answer may be of the commands. */
export function whoseChanges(
  root: string,
  changes: Iterable<SeenChange>,
  sinceMs: number,
  isKnown: (hash: string) => boolean,
): ReadonlyMap<string, Whose> {
  const whose = new Map<string, Whose>();
  for (const { path, before, now } of changes) {
    const stat = now === null ? folderAround(root, path) : statAt(join(root, path));
    if (stat === undefined) continue;
    // What was taken away is stamped on its folder: as its content, not as its own change.
    if (isBefore(now === null ? stat.mtimeNs : stat.ctimeNs, sinceMs)) whose.set(path, 'others');
    else if (now !== null && before === null && stat.isFile() && isBefore(stat.birthtimeNs, sinceMs)) {
      if (!isKnown(now.slice(now.indexOf(' ') + 1))) whose.set(path, 'older');
    }
  }
  return whose;
}

/** The nearest folder around that is there; undefined: not even the root is. */
function folderAround(root: string, path: string): BigIntStats | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stat = statAt(join(root, folder));
    if (stat?.isDirectory() === true || folder === '.') return stat;
  }
}

/** Stamps are taken from a clock that ticks rarely; some file systems keep whole or even seconds only. */
const TICK_NS = 20_000_000n;
const COARSE_NS = 2_000_000_000n;
const SECOND_NS = 1_000_000_000n;

/** A file system that does not know the stamp says 0. */
function isBefore(stampNs: bigint, sinceMs: number): boolean {
  const slack = stampNs % SECOND_NS === 0n ? COARSE_NS : TICK_NS;
  return stampNs > 0n && stampNs + slack < BigInt(Math.floor(sinceMs)) * 1_000_000n;
}
