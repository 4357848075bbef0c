/**
 * Remembers content hashes by what `lstat` says, so that an unchanged file is not read again.
 *
 * A hash is trusted only if inode, size, mode and both times are equal, and the file had not been touched within two
 * seconds of the look: a later write in the same tick of the file system's clock would leave every number as it is.
 */
import { type BigIntStats, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface CacheEntry {
  readonly ino: bigint;
  readonly size: bigint;
  readonly mode: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** Wall clock in nanoseconds at the look, as the file's own times are. */
  readonly seenNs: bigint;
  /** `mode hash`, as the manifest has it. */
  readonly value: string;
}

const RACY_NS = 2_000_000_000n;
const VERSION = 'belay scan cache 1';
/** A save rewrites the whole file, so a few changes wait for more; reading this many files again costs little. */
const SAVE_AT = 200;

export interface StatCache {
  get(path: string, stat: BigIntStats): string | null;
  put(path: string, stat: BigIntStats, seenNs: bigint, value: string): void;
  /** Forgets paths that the scan did not meet, and stores the cache when enough has changed. */
  settle(manifest: ReadonlyMap<string, string>): Promise<void>;
}

/** `file` null keeps the cache in memory only. A file that cannot be read or written is as good as none. */
export function statCache(file: string | null): StatCache {
  // Read at the first look: not everybody who opens a workspace scans it.
  let loaded: Map<string, CacheEntry> | null = null;
  const known = (): Map<string, CacheEntry> => (loaded ??= file === null ? new Map() : load(file));
  let unsaved = 0;
  return {
    get(path, stat) {
      const entry = known().get(path);
      return entry !== undefined && isTrusted(entry, stat) ? entry.value : null;
    },
    put(path, stat, seenNs, value) {
      const { ino, size, mode, mtimeNs, ctimeNs } = stat;
      known().set(path, { ino, size, mode, mtimeNs, ctimeNs, seenNs, value });
      unsaved++;
    },
    async settle(manifest) {
      const entries = known();
      if (entries.size > manifest.size) {
        for (const path of entries.keys()) if (!manifest.has(path)) entries.delete(path);
      }
      if (file === null || unsaved < SAVE_AT) return;
      unsaved = 0;
      await save(file, entries).catch(() => undefined);
    },
  };
}

function isTrusted(entry: CacheEntry, stat: BigIntStats): boolean {
  return (
    entry.ctimeNs === stat.ctimeNs &&
    entry.mtimeNs === stat.mtimeNs &&
    entry.size === stat.size &&
    entry.ino === stat.ino &&
    entry.mode === stat.mode &&
    entry.seenNs - entry.mtimeNs > RACY_NS &&
    entry.seenNs - entry.ctimeNs > RACY_NS
  );
}

function load(file: string): Map<string, CacheEntry> {
  const entries = new Map<string, CacheEntry>();
  try {
    const [version, ...lines] = readFileSync(file, 'utf8').split('\n');
    if (version !== VERSION) return entries;
    for (const line of lines) {
      const [path, ino, size, mode, mtimeNs, ctimeNs, seenNs, value] = line.split('\0');
      if (path === undefined || value === undefined) continue;
      const numbers = [ino, size, mode, mtimeNs, ctimeNs, seenNs].map((text) => BigInt(text ?? ''));
      const [a, b, c, d, e, f] = numbers as [bigint, bigint, bigint, bigint, bigint, bigint];
      entries.set(path, { ino: a, size: b, mode: c, mtimeNs: d, ctimeNs: e, seenNs: f, value });
    }
  } catch {
    entries.clear();
  }
  return entries;
}

async function save(file: string, entries: ReadonlyMap<string, CacheEntry>): Promise<void> {
  const lines = [VERSION];
  for (const [path, entry] of entries) {
    // A path with a line end would break the format; such a file is simply read again next time.
    if (path.includes('\n')) continue;
    const { ino, size, mode, mtimeNs, ctimeNs, seenNs, value } = entry;
    lines.push([path, ino, size, mode, mtimeNs, ctimeNs, seenNs, value].join('\0'));
  }
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  await writeFile(fresh, lines.join('\n'), { mode: 0o600 });
  await rename(fresh, file);
}
