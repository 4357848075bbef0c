/** The instant of change. Each function returns null, or what is wrong with the file that was to be displaced. */
import { constants, copyFileSync, linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { errorCode, isMissing } from '../error-code.ts';
import { blobHash, hashFileSync } from './blob-hash.ts';
import type { Leftovers } from './leftovers.ts';

interface Displaced {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** File systems without hard links answer with one of these. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Gives the fresh file its name, only if the name is free: a concurrent creation is never overwritten. */
export async function createFile(left: Leftovers, announce: () => void | Promise<void>): Promise<string | null> {
  await announce();
  try {
    linkSync(left.fresh, left.target);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'exists already.';
    if (!NO_LINKS.includes(errorCode(error))) throw error;
    return copyExclusively(left);
  }
  return null;
}

/** Puts the fresh file in the place of one whose content is `base`. */
export async function replaceFile(
  left: Leftovers,
  base: string,
  announce: (found: Displaced) => void | Promise<void>,
): Promise<string | null> {
  let linked = true;
  try {
    linkSync(left.target, left.kept);
  } catch (error) {
    if (isMissing(error)) return 'is gone.';
    if (!NO_LINKS.includes(errorCode(error))) throw error;
    linked = false;
  }
  const kept = linked ? left.kept : left.target;
  try {
    const bytes = readFileSync(kept);
    const found = { hash: blobHash(bytes), bytes };
    if (found.hash !== base) return CHANGED;
    await announce(found);
    // Whoever replaced the file by a rename meanwhile owns another inode under the name: theirs must not be displaced.
    const present = statSync(left.target, { bigint: true, throwIfNoEntry: false });
    if (present?.ino !== statSync(kept, { bigint: true }).ino || hashFileSync(kept) !== base) return CHANGED;
    renameSync(left.fresh, left.target);
    // A program that had the displaced file open may have written into it until the very last moment.
    if (linked && hashFileSync(left.kept) !== base) {
      renameSync(left.kept, left.target);
      return CHANGED;
    }
    return null;
  } finally {
    if (linked) rmSync(left.kept, { force: true });
  }
}

/** Removes the fresh file if it still has its temporary name. */
export function discardFresh(left: Leftovers): void {
  rmSync(left.fresh, { force: true });
}

function copyExclusively(left: Leftovers): string | null {
  try {
    copyFileSync(left.fresh, left.target, constants.COPYFILE_EXCL);
    return null;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'exists already.';
    throw error;
  }
}

const CHANGED = 'has changed since it was read.';
