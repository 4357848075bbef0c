/**
 * Folders that git takes for a repository although nothing in them is called `.git`: it reads the settings in them and
 * starts what those name. It needs a HEAD, and objects and refs or a file that says where those are.
 */
import type { PermissionPorts } from '../contract.ts';
import { fold } from './sensitive.ts';

/** Whether something is at a path of the workspace. */
export type IsThere = (path: string) => Promise<boolean>;

const parts: readonly string[] = ['HEAD', 'objects', 'refs', 'commondir'];
const namesOfParts: ReadonlySet<string> = new Set(parts.map(fold));

/** Null where nobody looks. A link that leads out of the workspace is there. */
export function lookFor(ports: PermissionPorts | null): IsThere | null {
  const kind = ports?.kind;
  if (ports === null || kind === undefined) return null;
  return async (path) => (await kind(path)) !== 'missing' || (await ports.realPath(path)) === null;
}

export const isBareRepository = (folder: string, isThere: IsThere): Promise<boolean> =>
  isComplete(folder, new Set(), isThere);

/** The folder that is a repository with what is made at these paths, or has been one before; null where none is. */
export async function repositoryWith(
  paths: readonly string[],
  besides: readonly string[],
  isThere: IsThere,
): Promise<string | null> {
  const made = new Map<string, Set<string>>();
  for (const path of paths) {
    const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
    segments.forEach((segment, i) => {
      const folder = segments.slice(0, i).join('/') || '.';
      made.set(folder, (made.get(folder) ?? new Set(besides.map(fold))).add(fold(segment)));
    });
  }
  for (const [folder, names] of made) if (await isComplete(folder, names, isThere)) return folder;
  return null;
}

/** Whether a path names a part of a repository, in any of its folders; which ones. */
export const partsIn = (path: string): readonly string[] =>
  path.split('/').filter((segment) => namesOfParts.has(fold(segment)));

async function isComplete(folder: string, made: ReadonlySet<string>, isThere: IsThere): Promise<boolean> {
  const at = (name: string): string => (folder === '.' ? name : `${folder}/${name}`);
  const has = async (name: string): Promise<boolean> => made.has(fold(name)) || (await isThere(at(name)));
  if (!(await has('HEAD'))) return false;
  if (!((await has('commondir')) || ((await has('objects')) && (await has('refs'))))) return false;
  // Git looks for this one first.
  return !(await isThere(at('.git')));
}
