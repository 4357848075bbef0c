/** The manifest: path → `mode hash`. Its hash is the revision; time stamps, order and locale have no part in it. */
import { createHash } from 'node:crypto';
import type { Scan } from '../contract.ts';

const sortedPaths = new WeakMap<Scan['manifest'], readonly string[]>();

/** Makes a scan, or gives `previous` back when it says the same: most scans find nothing new. */
export function scanOf(manifest: ReadonlyMap<string, string>, previous: Scan | null): Scan {
  if (previous !== null && isSame(previous.manifest, manifest)) return previous;
  return { manifest, revision: hashManifest(manifest, () => true) };
}

/** The scan with some paths seen anew; null: nothing is there. */
export function amendScan(scan: Scan, seen: ReadonlyMap<string, string | null>): Scan {
  const manifest = new Map(scan.manifest);
  for (const [path, side] of seen) {
    if (side === null) manifest.delete(path);
    else manifest.set(path, side);
  }
  return scanOf(manifest, scan);
}

/** Hash of the manifest without the given paths; without exceptions it is the revision. */
export function treeOf(scan: Scan, except: readonly string[]): string {
  if (except.length === 0) return scan.revision;
  const left = new Set(except);
  return hashManifest(scan.manifest, (path) => !left.has(path));
}

/** Paths that were added, removed or changed in content or mode, sorted by code unit. */
export function changedPaths(before: Scan, after: Scan): readonly string[] {
  if (before.manifest === after.manifest) return [];
  const changed: string[] = [];
  for (const [path, value] of after.manifest) if (before.manifest.get(path) !== value) changed.push(path);
  for (const path of before.manifest.keys()) if (!after.manifest.has(path)) changed.push(path);
  return changed.sort();
}

function hashManifest(manifest: ReadonlyMap<string, string>, counts: (path: string) => boolean): string {
  let paths = sortedPaths.get(manifest);
  if (paths === undefined) {
    paths = [...manifest.keys()].sort();
    sortedPaths.set(manifest, paths);
  }
  const lines: string[] = [];
  // NUL cannot be part of a path or a value, so no two manifests give the same text.
  for (const path of paths) if (counts(path)) lines.push(`${path}\0${manifest.get(path)}\0`);
  return createHash('sha256').update(lines.join(''), 'utf8').digest('hex');
}

function isSame(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  for (const [path, value] of b) if (a.get(path) !== value) return false;
  return true;
}
