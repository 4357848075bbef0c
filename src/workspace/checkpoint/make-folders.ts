import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { USUAL } from './folder-modes.ts';

export interface MadeFolder {
  readonly path: string;
  readonly mode: number;
}

/**
 * Makes a folder and those around it, as far as they are missing: with the permissions that they had, or with the usual
 * ones, but never more open than the folder around. Until `finishFolders` the owner may write in each of them.
 */
export function makeFolders(root: string, path: string, modeOf: (path: string) => number | null): MadeFolder[] {
  if (path === '.' || path === '') return [];
  const around = makeFolders(root, dirname(path), modeOf);
  const known = modeOf(path);
  const mode = known ?? USUAL & lstatSync(join(root, dirname(path))).mode;
  try {
    mkdirSync(join(root, path), { mode: mode | 0o700 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    return around;
  }
  return [...around, { path, mode: known ?? lstatSync(join(root, path)).mode & 0o777 }];
}

/** Gives folders that were made their own permissions, innermost first. Nobody but the owner has more before that. */
export function finishFolders(root: string, made: readonly MadeFolder[]): void {
  for (const { path, mode } of made.toReversed()) {
    try {
      const now = lstatSync(join(root, path));
      if (now.isDirectory() && (now.mode & 0o777) !== mode) chmodSync(join(root, path), (now.mode & 0o7000) | mode);
    } catch {
      // It is gone again, or not ours to change.
    }
  }
}
