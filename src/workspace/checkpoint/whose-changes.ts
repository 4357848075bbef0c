/**
 * Which of the changes between two looks cannot be the doing of the commands that were at work between them. File systems
 * stamp every change themselves (`ctime`), and nobody can set that stamp back.
 */
import type { BigIntStats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SeenChange, Span } from '../contract.ts';
import { statAt } from './stat-at.ts';

/**
 * `others`: it was so before the first of them started. `older`: a new path to a file that is older than that, with unknown
 * content. `later`: the last change came when none was at work; what they did to it before is not known.
 */
export type Whose = 'others' | 'older' | 'later';

/** What lay in the workspace at the look before, wherever. */
export interface Earlier {
  hasContent(hash: string): boolean;
  hasFolder(path: string): boolean;
}

/** What is not in the answer may be of the commands. */
export function whoseChanges(
  root: string,
  changes: Iterable<SeenChange>,
  spans: readonly Span[],
  earlier: Earlier,
  nowMs: number,
): ReadonlyMap<string, Whose> {
  const whose = new Map<string, Whose>();
  const sinceMs = spans[0]?.fromMs ?? nowMs;
  for (const { path, before, now } of changes) {
    const stat = now === null ? folderAround(root, path) : stampsOf(join(root, path));
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
      const touched = foldersAround(path).filter((one) => !isBefore(stampsOf(join(root, one))?.ctimeNs ?? 0n, sinceMs));
      if (touched.length > 0 && hasKnown()) continue;
      whose.set(path, isNew && touched.some((one) => !earlier.hasFolder(one)) ? 'older' : 'others');
    } else if (isNew && stat.isFile() && isBefore(stat.birthtimeNs, sinceMs) && !hasKnown()) {
      whose.set(path, 'older');
    } else if (isApart(stat.ctimeNs, spans, nowMs)) whose.set(path, 'later');
  }
  return whose;
}

/** What nobody may look at has no stamp, so it may be of the commands. */
function stampsOf(path: string): BigIntStats | undefined {
  try {
    return statAt(path);
  } catch {
    return undefined;
  }
}

/** Whether a stamp behind the first start lies in none of the spans. A clock that runs ahead of ours proves nothing. */
function isApart(stampNs: bigint, spans: readonly Span[], nowMs: number): boolean {
  const isWithin = ({ fromMs, toMs }: Span): boolean =>
    !isBefore(stampNs, fromMs) && (toMs === null || stampNs <= BigInt(Math.ceil(toMs)) * 1_000_000n + AFTER_NS);
  return stampNs > 0n && isBefore(stampNs, nowMs) && !spans.some(isWithin);
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
    const stat = stampsOf(join(root, folder));
    if (stat?.isDirectory() === true || folder === '.') return stat;
  }
}

/** Stamps are taken from a clock that ticks rarely; some file systems keep whole or even seconds only. */
const TICK_NS = 20_000_000n;
const COARSE_NS = 2_000_000_000n;
const SECOND_NS = 1_000_000_000n;

/** What a command wrote may be stamped when it is over. */
const AFTER_NS = 500_000_000n;

/** A file system that does not know the stamp says 0. */
function isBefore(stampNs: bigint, sinceMs: number): boolean {
  const slack = stampNs % SECOND_NS === 0n ? COARSE_NS : TICK_NS;
  return stampNs > 0n && stampNs + slack < BigInt(Math.floor(sinceMs)) * 1_000_000n;
}
