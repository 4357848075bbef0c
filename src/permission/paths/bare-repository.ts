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

export interface Look {
  readonly isThere: IsThere;
  /** Parts that may not be there yet: calls of one answer are judged before the first of them runs. */
  readonly announced: Set<string>;
}
/** What was announced to those who look by the same ports. */
const announcedTo = new WeakMap<PermissionPorts, Set<string>>();
/** Beyond it the older ones are forgotten: they are there by now, or never will be. */
const announcedMax = 1_000;

/** Null where nobody looks. A link that leads out of the workspace is there. */
export function lookFor(ports: PermissionPorts | null): Look | null {
  const kind = ports?.kind;
  if (ports === null || kind === undefined) return null;
  const announced = announcedTo.get(ports) ?? new Set();
  announcedTo.set(ports, announced);
  return {
    isThere: async (path) => (await kind(path)) !== 'missing' || (await ports.realPath(path)) === null,
    announced,
  };
}

export const isBareRepository = (folder: string, isThere: IsThere): Promise<boolean> =>
  isComplete(folder, new Set(), isThere);

/**
 * The folder that is a repository with what is made at these paths, or has been one before; null where none is.
 * `besides`: parts that may be made anywhere. What is made now is announced to later questions.
 */
export async function repositoryWith(
  paths: readonly string[],
  besides: readonly string[],
  { isThere, announced }: Look,
): Promise<string | null> {
  if (announced.size > announcedMax) announced.clear();
  const made = new Map<string, Set<string>>();
  for (const path of paths) {
    const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
    segments.forEach((segment, i) => {
      const folder = segments.slice(0, i).join('/') || '.';
      made.set(folder, (made.get(folder) ?? new Set(besides.map(fold))).add(fold(segment)));
      if (namesOfParts.has(fold(segment))) announced.add(fold(`${folder}/${segment}`));
    });
  }
  for (const [folder, names] of made) {
    for (const part of parts) if (announced.has(fold(`${folder}/${part}`))) names.add(fold(part));
    if (await isComplete(folder, names, isThere)) return folder;
  }
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
