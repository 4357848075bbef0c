/**
 * Repositories of their own in what a command takes: a folder with a git directory in it. No checkpoint holds their
 * commits. A file called `.git` only says where the git directory is, and that stays.
 */
import type { PermissionPorts } from '../contract.ts';

/** Folders directly below the one that is taken, so that a folder of repositories is known as well. */
const namesMax = 500;

/** The git directory in or directly below a folder, itself none of the workspace's own; null where none is, or nobody looks. */
export async function gitDirectoryIn(folder: string, { kind, entries }: PermissionPorts): Promise<string | null> {
  if (kind === undefined) return null;
  const below = folder === '.' ? '' : `${folder}/`;
  const names = entries === undefined ? [] : await entries(folder, namesMax);
  const inside = names.flatMap((name) => (name.endsWith('/') ? [`${below}${name}.git`] : []));
  for (const path of folder === '.' ? inside : [`${below}.git`, ...inside]) {
    if ((await kind(path)) === 'directory') return path;
  }
  return null;
}
