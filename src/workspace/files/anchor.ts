/**
 * A folder held open, so that whatever is done in it happens there, even while somebody swaps a part of its path for a
 * link that leads out of the workspace.
 *
 * 1. The folder that was opened is the one that was meant: where the system can tell, its own path is compared.
 * 2. Missing folders are made one by one, each inside the one before, and never through a link.
 * 3. Where the system has no names for open folders (no /proc) paths are used, checked again right before the change.
 */
import { constants, mkdirSync, readlinkSync, rmdirSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../error-code.ts';

export interface Anchor {
  /** A path for an entry of the folder that no link outside of it can bend. */
  at(name: string): string;
  /** Whether the folder still has the path under which it was opened. */
  isInPlace(): boolean;
  /** Brings the names in the folder to the disk, and those of the folders made for it. */
  sync(): Promise<void>;
  /** Removes the folders that were made, if nobody uses them. */
  abandon(): void;
  close(): Promise<void>;
}

export const MOVED = 'EMOVED';

interface Made {
  readonly parent: FileHandle;
  readonly name: string;
}

/** Opens a folder by its real path, and makes what is missing of it. Throws code `EMOVED` when the path leads elsewhere. */
export async function openAnchor(folder: string): Promise<Anchor> {
  const missing: string[] = [];
  const handles: FileHandle[] = [];
  const made: Made[] = [];
  const close = async () => {
    for (const handle of handles.splice(0)) await handle.close();
  };
  try {
    let handle = await openExisting(folder, missing);
    handles.push(handle);
    const top = missing.reduce((path) => dirname(path), folder);
    if (!isAt(handle, top)) throw moved(top);
    let path = top;
    for (const name of missing) {
      const isNew = makeFolder(entryOf(handle, path, name));
      if (isNew) made.push({ parent: handle, name });
      handle = await openFolder(entryOf(handle, path, name));
      handles.push(handle);
      path = join(path, name);
    }
    const last = handle;
    return {
      at: (name) => entryOf(last, folder, name),
      isInPlace: () => isAt(last, folder),
      sync: async () => {
        for (const one of new Set([last, ...made.map(({ parent }) => parent)])) await syncFolder(one);
      },
      abandon: () => removeMade(made, folder),
      close,
    };
  } catch (error) {
    removeMade(made, folder);
    await close();
    throw error;
  }
}

/** The nearest folder that exists; the names below it that do not are put into `missing`, outermost first. */
async function openExisting(folder: string, missing: string[]): Promise<FileHandle> {
  for (let path = folder; ; path = dirname(path)) {
    try {
      return await openFolder(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
      missing.unshift(basename(path));
    }
  }
}

const openFolder = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);

function makeFolder(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Where an open file or folder lies; null where the system does not tell. */
export function pathOfHandle(handle: Pick<FileHandle, 'fd'>): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${handle.fd}`);
  } catch {
    return null;
  }
}

/** A file system that does not tell cases apart may name the folder in another spelling of the same letters. */
const isAt = (handle: FileHandle, path: string): boolean => {
  const is = pathOfHandle(handle);
  return is === null || is === path || is.toLowerCase() === path.toLowerCase();
};

const entryOf = (handle: FileHandle, folder: string, name: string): string =>
  pathOfHandle(handle) === null ? join(folder, name) : `/proc/self/fd/${handle.fd}/${name}`;

async function syncFolder(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems cannot sync a folder; the content itself is synced.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR'].includes(errorCode(error))) throw error;
  }
}

function removeMade(made: readonly Made[], folder: string): void {
  let path = folder;
  for (const { parent, name } of made.toReversed()) {
    path = dirname(path);
    try {
      rmdirSync(entryOf(parent, path, name));
    } catch {
      // Somebody uses it meanwhile.
    }
  }
}

const moved = (path: string): Error => Object.assign(new Error(`${path} leads elsewhere now`), { code: MOVED });
