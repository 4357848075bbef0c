import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isLeftoverName } from './leftovers.ts';
import { isProblem, type Resolve } from './resolve-path.ts';

/**
 * Names in a folder, sorted by code unit, folders (and links to them) with a trailing slash; empty when it is none, or
 * tells nobody what is in it.
 */
export function listFolder(resolve: Resolve, text: string, max: number): readonly string[] {
  const found = resolve(text);
  if (isProblem(found) || found.kind !== 'directory') return [];
  return entriesOf(found.absolute)
    .filter((entry) => !isLeftoverName(entry.name) && !isProtected(resolve, join(found.absolute, entry.name)))
    .map((entry) => (isFolder(found.absolute, entry) ? `${entry.name}/` : entry.name))
    .sort()
    .slice(0, max);
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** A link that leads outside is listed by its name; only Belay's own data is hidden. */
function isProtected(resolve: Resolve, path: string): boolean {
  const found = resolve(path);
  return isProblem(found) && found.code === 'protected';
}

function isFolder(folder: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(join(folder, entry.name)).isDirectory();
  } catch {
    return false;
  }
}
