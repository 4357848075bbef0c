/**
 * Points to which the files of a workspace can be brought back.
 *
 * 1. A point is what differs from the manifest at the session's start, and the contents of that; nothing is copied twice.
 * 2. Nothing here is on the way of a round: points are taken while a model is waited for, without any sync.
 * 3. What is too large, cannot be read or found no room is told as not covered; it is never guessed later.
 */
import { constants, existsSync, lstatSync, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Checkpoints, Scan } from '../contract.ts';
import { blobHash } from '../files/blob-hash.ts';
import { gitDirOf, readIndex } from '../revision/git-index.ts';
import { changedPaths } from '../revision/manifest.ts';
import { type StatCache, statCache } from '../revision/stat-cache.ts';
import { folderModes } from './folder-modes.ts';
import { sideOfFile } from './look.ts';
import { looseObjects } from './loose-objects.ts';
import { type PruneLimits, pruneObjects } from './prune.ts';
import { readUsage, type Usage, writeUsage } from './usage.ts';
import { earlierOf, whoseChanges } from './whose-changes.ts';

export interface CheckpointOptions {
  /** Where the store lies, outside the workspace; one for all sessions of a workspace. */
  readonly folder: string;
  /** Real path of the workspace. */
  readonly root: string;
  /** Folders with contents under their hash that need not be stored again. */
  readonly keptIn: readonly string[];
  readonly limits?: Partial<CheckpointLimits>;
}
export interface CheckpointLimits extends PruneLimits {
  /** Longer files are hashed, not stored. */
  readonly fileBytesMax: number;
  /** New contents of one point. */
  readonly pointBytesMax: number;
}

/** What a point holds unless its store was opened with other limits. */
export const pointLimits = { fileBytesMax: 32 * 1024 * 1024, pointBytesMax: 256 * 1024 * 1024 } as const;

const LIMITS: CheckpointLimits = {
  ...pointLimits,
  storeBytesMax: 1024 * 1024 * 1024,
  ageMaxMs: 30 * 24 * 3_600_000,
};
const BASE = 'base';
const PRUNE_EVERY_MS = 24 * 3_600_000;
const PRUNE_AFTER_BYTES = 64 * 1024 * 1024;
/** From this part of the limit on, room is made: a point that comes then still finds some. */
const FULL = 0.9;
const UNCOVERED_MAX = 20;

type Entries = readonly (readonly [path: string, side: string | null])[];

export function openCheckpoints(options: CheckpointOptions): Checkpoints {
  const { root, folder } = options;
  const limits = { ...LIMITS, ...options.limits };
  const objects = looseObjects(folder);
  const modes = folderModes(folder, root);
  let last: { readonly scan: Scan; readonly base: Scan; readonly ref: string } | null = null;
  /** Of files that no scan looks at. */
  const seen = statCache(null);
  let toppedUp = false;
  let usage: Usage | null = null;
  /** Bytes stored since the last pruning that this object knows of. */
  let stored = 0;

  const isKept = (hash: string) => objects.has(hash) || options.keptIn.some((kept) => existsSync(join(kept, hash)));

  /** False where the content cannot be kept. */
  async function keep(path: string, hash: string, budget: { left: number }): Promise<boolean> {
    if (isKept(hash)) return true;
    const bytes = await readForPoint(join(root, path), Math.min(limits.fileBytesMax, budget.left));
    if (bytes === null || blobHash(bytes) !== hash) return false;
    if (stored + (usage?.bytes ?? 0) + bytes.byteLength > limits.storeBytesMax) return false;
    stored += await objects.put(hash, bytes);
    budget.left -= bytes.byteLength;
    return true;
  }

  async function prune(): Promise<number> {
    const bytes = await pruneObjects(folder, { ...limits, storeBytesMax: limits.storeBytesMax * FULL });
    stored = 0;
    usage = { bytes, prunedMs: Date.now() };
    writeUsage(folder, usage);
    return bytes;
  }

  async function makeRoom(): Promise<void> {
    usage ??= readUsage(folder);
    const isDue = existsSync(folder) && Date.now() - usage.prunedMs > PRUNE_EVERY_MS;
    if (isDue || stored > PRUNE_AFTER_BYTES || stored + usage.bytes > limits.storeBytesMax * FULL) await prune();
  }

  return {
    async take(scan, base, signal) {
      if (last?.scan === scan && last.base === base) return { ref: last.ref, uncovered: [] };
      await makeRoom();
      const entries = differences(base, scan);
      const uncovered: string[] = [];
      const budget = { left: limits.pointBytesMax };
      for (const [path, side] of entries) {
        signal.throwIfAborted();
        if (side === null || path.endsWith('/')) continue;
        if (!(await keep(path, hashOf(side), budget))) uncovered.push(path);
      }
      const ref = entries.length === 0 ? BASE : await putManifest(entries);
      if (stored > 0 && usage !== null) writeUsage(folder, { ...usage, bytes: usage.bytes + stored });
      if (last !== null) modes.note(changedPaths(last.scan, scan));
      last = { scan, base, ref };
      return { ref, uncovered: uncovered.slice(0, UNCOVERED_MAX) };
    },
    async keepStart(scan, base, signal) {
      if (toppedUp) return;
      await makeRoom();
      const budget = { left: limits.pointBytesMax };
      for (const [path, hash] of missingFromStart(root, base, scan, isKept)) {
        signal.throwIfAborted();
        await keep(path, hash, budget);
      }
      toppedUp = true;
    },
    noteFolders: (scan) => modes.note(scan.manifest.keys()),
    folderMode: modes.of,
    async tellApart(changes, spans, before, ignored) {
      const whose = whoseChanges(root, changes, spans, earlierOf(before.manifest, ignored), Date.now());
      return whose.size === 0 ? null : putManifest([...whose]);
    },
    async takeApart(paths, signal) {
      await makeRoom();
      const entries: (readonly [string, string | null])[] = [];
      const uncovered: string[] = [];
      const budget = { left: limits.pointBytesMax };
      for (const path of paths) {
        signal.throwIfAborted();
        const side = sideNow(join(root, path), seen);
        if (side !== null && !(await keep(path, hashOf(side), budget))) uncovered.push(path);
        else entries.push([path, side]);
      }
      const ref = entries.length === 0 ? BASE : await putManifest(entries);
      if (stored > 0 && usage !== null) writeUsage(folder, { ...usage, bytes: usage.bytes + stored });
      return { ref, uncovered };
    },
    look: (paths) => new Map(paths.map((path) => [path, sideNow(join(root, path), seen)])),
    manifest(ref) {
      if (ref === BASE) return new Map();
      const bytes = objects.get(ref);
      return bytes === null ? null : new Map(JSON.parse(Buffer.from(bytes).toString('utf8')) as Entries);
    },
    has: isKept,
    content: (hash) => objects.get(hash),
    async keep(hash, bytes) {
      if (objects.get(hash) === null) stored += await objects.put(hash, bytes);
    },
    async keepFile(path, hash) {
      await makeRoom();
      return keep(path, hash, { left: limits.fileBytesMax });
    },
    prune,
  };

  async function putManifest(entries: Entries): Promise<string> {
    const bytes = Buffer.from(JSON.stringify(entries));
    const ref = blobHash(bytes);
    if (!objects.has(ref)) stored += await objects.put(ref, bytes);
    return ref;
  }
}

function differences(base: Scan, scan: Scan): Entries {
  const entries: (readonly [string, string | null])[] = [];
  let shared = 0;
  for (const [path, side] of scan.manifest) {
    const before = base.manifest.get(path);
    if (before !== undefined) shared++;
    if (before !== side) entries.push([path, side]);
  }
  if (shared === base.manifest.size) return entries;
  for (const path of base.manifest.keys()) if (!scan.manifest.has(path)) entries.push([path, null]);
  return entries;
}

/** Files as the session found them whose content neither git nor the copy made at the start can give back. */
function* missingFromStart(
  root: string,
  base: Scan,
  scan: Scan,
  isKept: (hash: string) => boolean,
): Iterable<readonly [path: string, hash: string]> {
  const gitDir = gitDirOf(root);
  const indexed = new Set(gitDir === null ? [] : readIndex(gitDir).map(({ hash }) => hash));
  for (const [path, side] of base.manifest) {
    const hash = hashOf(side);
    if (path.endsWith('/') || scan.manifest.get(path) !== side || indexed.has(hash) || isKept(hash)) continue;
    yield [path, hash];
  }
}

const hashOf = (side: string): string => side.slice(side.indexOf(' ') + 1);

/** Bytes of a file, or the text of a link; null for anything else, or what is longer than `bytesMax`. */
async function readForPoint(path: string, bytesMax: number): Promise<Uint8Array | null> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = await handle.stat();
      return stat.isFile() && stat.size <= bytesMax ? await handle.readFile() : null;
    } finally {
      await handle.close();
    }
  } catch {
    return linkText(path);
  }
}

/** What cannot be read is not kept, and so not told of. What did not change since the last look is not read again. */
function sideNow(path: string, seen: StatCache): string | null {
  try {
    const seenNs = BigInt(Date.now()) * 1_000_000n;
    const stat = lstatSync(path, { bigint: true });
    const known = seen.get(path, stat);
    if (known !== null) return known;
    const side = sideOfFile(path);
    if (side !== null) seen.put(path, stat, seenNs, side);
    return side;
  } catch {
    return null;
  }
}

function linkText(path: string): Uint8Array | null {
  try {
    return readlinkSync(path, 'buffer');
  } catch {
    return null;
  }
}
