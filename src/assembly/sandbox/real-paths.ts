/** Looks at paths for the sandbox. What cannot be looked at does not exist for it. */
import { accessSync, constants, lstatSync, readdirSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import path from 'node:path';

/** The real path; null where nothing is. */
export function realOf(at: string): string | null {
  // Most places that are asked for are not there, and an error costs ten times a look.
  if (statOf(at) === null) return null;
  try {
    return realpathSync.native(at);
  } catch {
    return null;
  }
}

/** What stands there itself: a link is a link. */
export function kindOf(at: string): 'file' | 'folder' | 'link' | 'other' | null {
  const stat = statOf(at);
  if (stat === null) return null;
  if (stat.isSymbolicLink()) return 'link';
  return stat.isDirectory() ? 'folder' : stat.isFile() ? 'file' : 'other';
}

/** Whether it is a file that this user can read. */
export function isReadable(file: string): boolean {
  if (kindOf(file) !== 'file') return false;
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Folders in a folder, links not followed. */
export function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
  } catch {
    return [];
  }
}

/** The text of a small file of git; null where there is none. */
export function textOf(file: string): string | null {
  try {
    const stat = statOf(file);
    return stat?.isFile() === true && stat.size < 1024 * 1024 ? readFileSync(file, 'utf8') : null;
  } catch {
    return null;
  }
}

/** The nearest folder above that holds a name, the folder itself included; null where there is none. */
export function folderWith(name: string, from: string): string | null {
  for (let at = from; ; at = path.dirname(at)) {
    if (kindOf(path.join(at, name)) !== null) return at;
    if (path.dirname(at) === at) return null;
  }
}

function statOf(at: string): Stats | null {
  try {
    return lstatSync(at, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
