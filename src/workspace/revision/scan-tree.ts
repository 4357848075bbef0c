/**
 * Walks the workspace and makes its manifest.
 *
 * 1. Nothing is executed and no link is followed: a link counts as its text.
 * 2. Entries named `.git` are left out; nested repositories are walked like folders.
 * 3. Ignored paths are left out unless they are tracked. Belay's own data is left out.
 * 4. The event loop gets its turn every few milliseconds, and an abort is heard there.
 * 5. Files above 256 MiB are not read.
 */
import { type BigIntStats, constants, lstatSync, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SlowScan } from '../contract.ts';
import { blobHash, hashFileSync, hashOpen } from '../files/blob-hash.ts';
import { identityOfHuge } from '../files/huge-file.ts';
import { isLeftoverName } from '../files/leftovers.ts';
import { type Entry, folderEntries, type SystemPath } from './folder-entries.ts';
import type { IgnoreRules, Rules } from './ignore-rules.ts';
import { rootRules } from './root-rules.ts';
import type { StatCache } from './stat-cache.ts';
import type { Tracked } from './tracked-paths.ts';

export interface ScanPorts {
  readonly root: string;
  /** Paths relative to the root that are left out whole. */
  readonly hidden: ReadonlySet<string>;
  readonly ignore: IgnoreRules;
  readonly tracked: (folder: string) => Tracked;
  readonly cache: StatCache;
  /** Told when the scan has taken longer than `SLOW_MS`. */
  readonly onSlow?: (seen: SlowScan) => void;
}

interface Folder {
  readonly path: SystemPath;
  /** Relative path with a trailing slash; empty for the root. */
  readonly prefix: string;
  readonly rules: Rules;
  readonly tracked: Tracked;
  /** Prefix of the repository that `tracked` belongs to. */
  readonly repository: string;
  /** Inside an ignored folder only tracked paths count. */
  readonly onlyTracked: boolean;
}
interface Unread {
  readonly path: string;
  readonly file: SystemPath;
  readonly stat: BigIntStats;
}

const SLICE_MS = 8;
const SLOW_MS = 2_000;
/** Files up to this size are read at once; longer ones piece by piece after the walk. */
const SMALL_BYTES = 256n * 1024n;
const LARGE_AT_ONCE = 4;

export async function scanTree(ports: ScanPorts, signal?: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const progress: Progress = { files: 0, reading: null };
  const timer = setTimeout(() => ports.onSlow?.({ ...progress }), SLOW_MS);
  try {
    return await scan(ports, progress, signal);
  } finally {
    clearTimeout(timer);
  }
}

interface Progress {
  files: number;
  reading: SlowScan['reading'];
}

async function scan(
  ports: ScanPorts,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const manifest = new Map<string, string>();
  const large: Unread[] = [];
  // Taken before the first look: a file touched later is newer than this, and so not trusted next time.
  const seenNs = BigInt(Date.now()) * 1_000_000n;
  const pause = pauser(signal);
  const folders = [rootFolder(ports)];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = folderEntries(folder.path);
    const here = enter(ports, folder, entries ?? []);
    let isEmpty = true;
    for (const entry of entries ?? []) {
      if (entry.name === '.git' || isLeftoverName(entry.name)) continue;
      isEmpty = false;
      progress.files++;
      if (pause.isDue()) await pause.take();
      const path = here.prefix + entry.name;
      if (entry.kind === 'other' || ports.hidden.has(path)) continue;
      if (entry.kind === 'folder') {
        const inside = insideOf(ports, here, path, entry);
        if (inside !== null) folders.push(inside);
      } else if (isCounted(ports, here, path)) {
        countFile(ports, entry, path, seenNs, manifest, large);
      }
    }
    if (entries === null) manifest.set(folder.prefix, '040000 unreadable');
    else if (isEmpty && folder.prefix !== '' && !folder.onlyTracked) manifest.set(folder.prefix, '040000 empty');
  }
  await countLarge(ports, large, seenNs, manifest, progress, signal);
  await ports.cache.settle(manifest);
  return manifest;
}

const rootFolder = (ports: ScanPorts): Folder => ({
  path: ports.root,
  prefix: '',
  rules: rootRules(ports.root, ports.ignore),
  tracked: ports.tracked(ports.root),
  repository: '',
  onlyTracked: false,
});

/** Adds what the folder itself brings: its rule file, and its index when it is a repository of its own. */
function enter(ports: ScanPorts, folder: Folder, entries: readonly Entry[]): Folder {
  const { path, prefix } = folder;
  // A rule file that is a link is not followed, as in git.
  const ruleFile = entries.find(({ name, kind }) => name === '.gitignore' && kind === 'file')?.path;
  const rules = ports.ignore.enter(prefix, folder.rules, typeof ruleFile === 'string' ? ruleFile : null);
  const isNested = prefix !== '' && typeof path === 'string' && entries.some(({ name }) => name === '.git');
  return isNested
    ? { ...folder, rules, tracked: ports.tracked(path), repository: prefix, onlyTracked: false }
    : { ...folder, rules };
}

function insideOf(ports: ScanPorts, folder: Folder, path: string, entry: Entry): Folder | null {
  const isIgnored = folder.onlyTracked || ports.ignore.ignores(`${path}/`, folder.rules);
  if (isIgnored && !folder.tracked.folders.has(path.slice(folder.repository.length))) return null;
  return {
    path: entry.path,
    prefix: `${path}/`,
    rules: isIgnored ? folder.rules : ports.ignore.descend(`${path}/`, folder.rules),
    tracked: folder.tracked,
    repository: folder.repository,
    onlyTracked: isIgnored,
  };
}

function isCounted(ports: ScanPorts, folder: Folder, path: string): boolean {
  if (!folder.onlyTracked && !ports.ignore.ignores(path, folder.rules)) return true;
  return folder.tracked.files.has(path.slice(folder.repository.length));
}

function countFile(
  ports: ScanPorts,
  { path: file, kind }: Entry,
  path: string,
  seenNs: bigint,
  manifest: Map<string, string>,
  large: Unread[],
): void {
  const stat = statOf(file);
  if (stat === undefined) return;
  if (stat === null) {
    manifest.set(path, '000000 unreachable');
    return;
  }
  const known = ports.cache.get(path, stat);
  const huge = kind === 'file' ? identityOfHuge(stat) : null;
  if (huge !== null) {
    manifest.set(path, `${stat.mode.toString(8)} ${huge}`);
  } else if (known !== null) {
    manifest.set(path, known);
  } else if (kind === 'file' && stat.size > SMALL_BYTES) {
    large.push({ path, file, stat });
  } else {
    const value = `${stat.mode.toString(8)} ${smallHash(file, stat)}`;
    manifest.set(path, value);
    ports.cache.put(path, stat, seenNs, value);
  }
}

/** Undefined where it is gone; null where nobody may look at it: a folder can tell names and let nobody in. */
function statOf(file: SystemPath): BigIntStats | null | undefined {
  try {
    return lstatSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return null;
  }
}

/** What cannot be read is told apart by size and time, so that a change of it is still a change. */
function smallHash(file: SystemPath, stat: BigIntStats): string {
  try {
    return stat.isSymbolicLink() ? blobHash(readlinkSync(file, 'buffer')) : hashFileSync(file);
  } catch {
    return unreadable(stat);
  }
}

async function countLarge(
  ports: ScanPorts,
  files: readonly Unread[],
  seenNs: bigint,
  manifest: Map<string, string>,
  progress: Progress,
  signal: AbortSignal | undefined,
): Promise<void> {
  const queue = [...files];
  const work = async () => {
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
      signal?.throwIfAborted();
      progress.reading = { path: one.path, bytes: Number(one.stat.size) };
      const value = `${one.stat.mode.toString(8)} ${await largeHash(one, signal)}`;
      manifest.set(one.path, value);
      ports.cache.put(one.path, one.stat, seenNs, value);
    }
  };
  await Promise.all(Array.from({ length: Math.min(LARGE_AT_ONCE, files.length) }, work));
}

async function largeHash({ file, stat }: Unread, signal: AbortSignal | undefined): Promise<string> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      // A file that shrinks while it is read has another hash at the next scan anyway.
      return (await hashOpen(handle.fd, Number(stat.size), signal)) ?? unreadable(stat);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (signal?.aborted === true) throw error;
    return unreadable(stat);
  }
}

const unreadable = (stat: BigIntStats): string => `unreadable-${stat.size}-${stat.mtimeNs}`;

function pauser(signal: AbortSignal | undefined) {
  let end = performance.now() + SLICE_MS;
  return {
    isDue: () => performance.now() > end,
    async take() {
      await nextTurn();
      signal?.throwIfAborted();
      end = performance.now() + SLICE_MS;
    },
  };
}
