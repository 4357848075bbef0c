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

/** What lay in the workspace at the look before, wherever. */
export interface Earlier {
  hasContent(hash: string): boolean;
  hasFolder(path: string): boolean;
}

/** What is not in the answer may be of the commands. */
export function whoseChanges(
  root: string,
  changes: Iterable<SeenChange>,
  sinceMs: number,
  earlier: Earlier,
): ReadonlyMap<string, Whose> {
  const whose = new Map<string, Whose>();
  for (const { path, before, now } of changes) {
    const stat = now === null ? folderAround(root, path) : statAt(join(root, path));
    if (stat === undefined) continue;
    if (now === null) {
      // What was taken away is stamped on its folder: as its content, not as its own change.
      if (isBefore(stat.mtimeNs, sinceMs)) whose.set(path, 'others');
      continue;
    }
    const isNew = before === null;
    const hasKnown = () => earlier.hasContent(now.slice(now.indexOf(' ') + 1));
    if (isBefore(stat.ctimeNs, sinceMs)) {
      // A file that comes with the folder around it has no stamp of that; the folder has.
      const touched = foldersAround(path).filter((one) => !isBefore(statAt(join(root, one))?.ctimeNs ?? 0n, sinceMs));
      if (touched.length > 0 && hasKnown()) continue;
      whose.set(path, isNew && touched.some((one) => !earlier.hasFolder(one)) ? 'older' : 'others');
    } else if (isNew && stat.isFile() && isBefore(stat.birthtimeNs, sinceMs) && !hasKnown()) {
      whose.set(path, 'older');
    }
  }
  return whose;
}

/** Folders on the way to a path, without the root. */
function foldersAround(path: string): readonly string[] {
  const names = path.replace(/\/$/, '').split('/');
  return names.slice(1).map((_name, i) => names.slice(0, i + 1).join('/'));
}

/** What a manifest tells of the time of its look. */
export function earlierOf(manifest: ReadonlyMap<string, string>, besides: Iterable<string | null> = []): Earlier {
  let hashes: ReadonlySet<string> | null = null;
  let folders: ReadonlySet<string> | null = null;
  return {
    hasContent(hash) {
      hashes ??= new Set([...manifest.values(), ...besides].map((side) => side?.slice(side.indexOf(' ') + 1) ?? ''));
      return hashes.has(hash);
    },
    hasFolder(path) {
      folders ??= new Set([...manifest.keys()].flatMap((one) => foldersAround(`${one}x`)));
      return folders.has(path);
    },
  };
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
