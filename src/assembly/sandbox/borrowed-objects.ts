/**
 * Where a repository borrows objects from (`git clone --shared`, `--reference`). A copied repository may name any folder of
 * the user's there, so none is shown for that: the user is told, and may name it.
 */
import path from 'node:path';
import { gitFolderOf } from './git-places.ts';
import { folderWith, kindOf, textOf } from './real-paths.ts';

/** Folders that are there, real paths or not. */
export function borrowedObjects(workspace: string): readonly string[] {
  const top = folderWith('.git', workspace);
  const folder = top === null ? null : gitFolderOf(top, path.join(top, '.git'));
  if (folder === null) return [];
  const objects = path.join(folder, 'objects');
  const lines = textOf(path.join(objects, 'info/alternates'))?.split('\n') ?? [];
  return lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => path.resolve(objects, line))
    .filter((at) => kindOf(at) === 'folder');
}
