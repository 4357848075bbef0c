import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../error-code.ts';
import { blobHash, hashFileSync } from '../files/blob-hash.ts';
import { identityOfHuge } from '../files/huge-file.ts';
import { isLeftoverName } from '../files/leftovers.ts';

/** What is at a path, as a scan tells it; a path with a trailing slash asks for an empty folder. Links are not followed. */
export function lookAt(root: string, path: string): string | null {
  if (path.endsWith('/')) return isEmptyFolder(join(root, path)) ? '040000 empty' : null;
  return sideOfFile(join(root, path));
}

export function sideOfFile(absolute: string): string | null {
  try {
    const stat = lstatSync(absolute, { bigint: true });
    const mode = stat.mode.toString(8);
    if (stat.isSymbolicLink()) return `${mode} ${blobHash(readlinkSync(absolute, 'buffer'))}`;
    return stat.isFile() ? `${mode} ${identityOfHuge(stat) ?? hashFileSync(absolute)}` : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export function isEmptyFolder(absolute: string): boolean {
  try {
    return (
      lstatSync(absolute.replace(/\/$/, '')).isDirectory() &&
      readdirSync(absolute).every((name) => name === '.git' || isLeftoverName(name))
    );
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
