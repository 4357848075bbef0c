/**
 * A folder held open, so that whatever is done in it happens there, even while somebody swaps a part of its path for a
 * link that leads out of the workspace.
 *
 * 1. The folder that was opened is the one that was meant: where the system can tell, its own path is compared.
 * 2. Missing folders are made one by one, each inside the one before, and never through a link.
 * 3. Where the system has no names for open folders (no /proc) paths are used, checked again right before the change.
 */
import { closeSync, constants, mkdirSync, openSync, readlinkSync, rmdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../error-code.ts';
import { syncOpen } from './open-file.ts';

export interface Anchor {
  /** A path for an entry of the folder that no link outside of it can bend. */
  at(name: string): string;
  /** Whether the folder still has the path under which it was opened. */
  isInPlace(): boolean;
  /** Brings the names in the folder to the disk, and those of the folders made for it. */
  sync(): Promise<void>;
  /** Removes the folders that were made, if nobody uses them. */
  abandon(): void;
  close(): void;
}

export const MOVED = 'EMOVED';

interface Made {
  readonly parent: number;
  readonly name: string;
}

/** Opens a folder by its real path, and makes what is missing of it. Throws code `EMOVED` when the path leads elsewhere. */
export function openAnchor(folder: string): Anchor {
  const missing: string[] = [];
  const opened: number[] = [];
  const made: Made[] = [];
  const close = () => {
    for (const fd of opened.splice(0)) closeSync(fd);
  };
  try {
    let fd = openExisting(folder, missing);
    opened.push(fd);
    const top = missing.reduce((path) => dirname(path), folder);
    if (!isAt(fd, top)) throw moved(top);
    let path = top;
    for (const name of missing) {
      const isNew = makeFolder(entryOf(fd, path, name));
      if (isNew) made.push({ parent: fd, name });
      fd = openFolder(entryOf(fd, path, name));
      opened.push(fd);
      path = join(path, name);
    }
    const last = fd;
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
    close();
    throw error;
  }
}

/** The nearest folder that exists; the names below it that do not are put into `missing`, outermost first. */
function openExisting(folder: string, missing: string[]): number {
  for (let path = folder; ; path = dirname(path)) {
    try {
      return openFolder(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
      missing.unshift(basename(path));
    }
  }
}

const openFolder = (path: string): number =>
  openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);

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
export function pathOfOpen(fd: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return null;
  }
}

/** A file system that does not tell cases apart may name the folder in another spelling of the same letters. */
const isAt = (fd: number, path: string): boolean => {
  const is = pathOfOpen(fd);
  return is === null || is === path || is.toLowerCase() === path.toLowerCase();
};

const entryOf = (fd: number, folder: string, name: string): string =>
  pathOfOpen(fd) === null ? join(folder, name) : `/proc/self/fd/${fd}/${name}`;

async function syncFolder(fd: number): Promise<void> {
  try {
    await syncOpen(fd);
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
