/** The manifest: path → `mode hash`. Its hash is the revision; time stamps, order and locale have no part in it. */
import { createHash } from 'node:crypto';
import type { Scan } from '../contract.ts';

type Manifest = Scan['manifest'];

/** From which scan another was made, and the paths that differ: what was worked out once need not be searched for. */
const amended = new WeakMap<Manifest, { readonly from: Manifest; readonly paths: readonly string[] }>();

/** Makes a scan, or gives `previous` back when it says the same: most scans find nothing new. */
export function scanOf(manifest: Manifest, previous: Scan | null): Scan {
  if (previous !== null && isSame(previous.manifest, manifest)) return previous;
  // Kept in the order of the hash, so that whoever stores or amends it need not sort again.
  const sorted = new Map(entriesInOrder(manifest));
  return { manifest: sorted, revision: hashManifest(sorted, null) };
}

/** A scan whose revision is worked out when somebody asks for it: most readers want the manifest alone. */
export function scanLater(manifest: Manifest): Scan {
  let revision: string | null = null;
  return {
    manifest,
    get revision() {
      revision ??= hashManifest(manifest, null);
      return revision;
    },
  };
}

/** The scan with some paths seen anew; null: nothing is there. */
export function amendScan(scan: Scan, seen: ReadonlyMap<string, string | null>): Scan {
  const news = [...seen].filter(([path, side]) => (scan.manifest.get(path) ?? null) !== side);
  if (news.length === 0) return scan;
  const manifest = new Map(scan.manifest);
  for (const [path, side] of news) {
    if (side === null) manifest.delete(path);
    else manifest.set(path, side);
  }
  amended.set(manifest, { from: scan.manifest, paths: news.map(([path]) => path).sort() });
  return scanLater(manifest);
}

/** Hash of the manifest without the given paths; without exceptions it is the revision. */
export function treeOf(scan: Scan, except: readonly string[]): string {
  const left = except.filter((path) => scan.manifest.has(path));
  return left.length === 0 ? scan.revision : hashManifest(scan.manifest, new Set(left));
}

/** Paths that were added, removed or changed in content or mode, sorted by code unit. */
export function changedPaths(before: Scan, after: Scan): readonly string[] {
  if (before.manifest === after.manifest) return [];
  const made = amended.get(after.manifest);
  if (made?.from === before.manifest) return made.paths;
  const changed: string[] = [];
  for (const [path, value] of after.manifest) if (before.manifest.get(path) !== value) changed.push(path);
  for (const path of before.manifest.keys()) if (!after.manifest.has(path)) changed.push(path);
  return changed.sort();
}

function hashManifest(manifest: Manifest, except: ReadonlySet<string> | null): string {
  let text = '';
  // NUL cannot be part of a path or a value, so no two manifests give the same text.
  for (const [path, value] of entriesInOrder(manifest)) if (!except?.has(path)) text += `${path}\0${value}\0`;
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

function entriesInOrder(manifest: Manifest): Iterable<readonly [string, string]> {
  if (isInOrder(manifest.keys())) return manifest;
  const paths = [...manifest.keys()].sort();
  return paths.map((path) => [path, manifest.get(path) ?? ''] as const);
}

function isInOrder(paths: Iterable<string>): boolean {
  let last = '';
  for (const path of paths) {
    if (path < last) return false;
    last = path;
  }
  return true;
}

function isSame(a: Manifest, b: Manifest): boolean {
  if (a.size !== b.size) return false;
  for (const [path, value] of b) if (a.get(path) !== value) return false;
  return true;
}
