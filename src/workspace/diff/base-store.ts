/**
 * Remembers a workspace as it was when a session began, so that the session's own change can be shown later.
 *
 * 1. The manifest is whole; of contents only what git could not give back is copied, up to a limit.
 * 2. A file that a write of ours displaces is always kept, whatever its size up to 32 MiB.
 * 3. Content that nobody kept is reported as not known, never guessed.
 */
import { lstatSync, mkdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BaseStore, Scan } from '../contract.ts';
import { isMissing } from '../error-code.ts';
import { blobHash } from '../files/blob-hash.ts';
import { gitDirOf, readIndex } from '../revision/git-index.ts';
import { scanLater } from '../revision/manifest.ts';
import { readGitObjects } from './git-objects.ts';
import { listChanges } from './list-changes.ts';
import { objectFolder } from './object-folder.ts';

export interface BaseStoreOptions {
  /** Where the store lies, outside the workspace. */
  readonly folder: string;
  /** Real path of the workspace. */
  readonly root: string;
  /** Absolute path of git, or null. */
  readonly git: string | null;
  /** Environment for git. */
  readonly env: Readonly<Record<string, string>>;
}

const COPY_BYTES_MAX = 1024 * 1024;
const COPIES_BYTES_MAX = 64 * 1024 * 1024;
const CAPTURE_BYTES_MAX = 32 * 1024 * 1024;
/** What edits may leave behind in one session; beyond it their contents cannot be brought back. */
const CAPTURES_BYTES_MAX = 1024 * 1024 * 1024;
const COPIES_PER_TURN = 20;

export function openBaseStore(options: BaseStoreOptions): BaseStore {
  const { root } = options;
  const objects = objectFolder(join(options.folder, 'objects'));
  const manifestPath = join(options.folder, 'manifest');
  /** About how much lies in the store; null until somebody asks. */
  let stored: number | null = null;
  const contents = async (hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> => {
    const own = new Map<string, Uint8Array>();
    for (const hash of hashes) {
      const bytes = objects.get(hash);
      if (bytes !== null) own.set(hash, bytes);
    }
    const others = hashes.filter((hash) => !own.has(hash));
    return new Map([...own, ...(await readGitObjects(root, options.git, options.env, others))]);
  };
  let read: Scan | null = null;
  // It is written once, so what was read stays right.
  const base = async () => (read ??= readManifest(manifestPath));

  return {
    base,
    async snapshot(scan) {
      if ((await base()) !== null) return;
      await copyUncommitted(root, scan, objects.put);
      writeManifest(options.folder, manifestPath, scan);
    },
    async capture(_path, before) {
      if (before === null || before.bytes.byteLength > CAPTURE_BYTES_MAX) return;
      stored ??= objects.bytes();
      if (stored + before.bytes.byteLength > CAPTURES_BYTES_MAX) return;
      objects.put(before.hash, before.bytes);
      stored += before.bytes.byteLength;
    },
    content: async (hash) => (await contents([hash])).get(hash) ?? null,
    contents,
    async changesSince(now, own) {
      const before = await base();
      return before === null ? [] : listChanges(root, before, now, contents, own);
    },
  };
}

/** Copies what lies in the workspace with a content that git's index does not name. */
async function copyUncommitted(
  root: string,
  scan: Scan,
  put: (hash: string, bytes: Uint8Array) => void,
): Promise<void> {
  const gitDir = gitDirOf(root);
  const indexed = new Set(gitDir === null ? [] : readIndex(gitDir).map(({ hash }) => hash));
  let total = 0;
  let copies = 0;
  for (const [path, value] of scan.manifest) {
    const hash = value.slice(value.indexOf(' ') + 1);
    if (indexed.has(hash) || path.endsWith('/')) continue;
    if (total > COPIES_BYTES_MAX) break;
    const bytes = readSmall(join(root, path));
    // A content that changed since the scan is not the base any more.
    if (bytes === null || blobHash(bytes) !== hash) continue;
    put(hash, bytes);
    total += bytes.byteLength;
    if (++copies % COPIES_PER_TURN === 0) await nextTurn();
  }
}

function readSmall(path: string): Uint8Array | null {
  try {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return readlinkSync(path, 'buffer');
    return stat.isFile() && stat.size <= COPY_BYTES_MAX ? readFileSync(path) : null;
  } catch {
    return null;
  }
}

function writeManifest(folder: string, path: string, scan: Scan): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fresh = `${path}.${process.pid}`;
  writeFileSync(fresh, JSON.stringify([...scan.manifest]), { mode: 0o600 });
  renameSync(fresh, path);
}

function readManifest(path: string): Scan | null {
  try {
    const entries = JSON.parse(readFileSync(path, 'utf8')) as readonly (readonly [string, string])[];
    return scanLater(new Map(entries));
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}
