/**
 * The instant of change of one file, in steps that a change of several files takes side by side: keep what is there,
 * put the new content in its place, and either let the old one go or bring it back. The steps return null, or what is
 * wrong with the file that was to be displaced.
 */
import { constants, copyFileSync, linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { errorCode, isMissing } from '../error-code.ts';
import { blobHash } from './blob-hash.ts';
import type { Leftovers } from './leftovers.ts';
import { type Content, holdsExactly } from './same-content.ts';

export interface Swap {
  /** Of an entry of an open folder (see `anchor.ts`). */
  readonly left: Leftovers;
  /** Hash of what is displaced; null where nothing may be there. */
  readonly base: string | null;
  /** The content that belongs to `base`, where the caller has it: comparing is cheaper than hashing. */
  readonly baseBytes: Uint8Array | null;
  /** The new content, which lies under `left.fresh`; null takes the file away. */
  readonly bytes: Content | null;
}

export interface Kept {
  /** Null where nothing was displaced. */
  readonly bytes: Uint8Array | null;
  /** Whether the kept name is the displaced file itself and no copy. */
  readonly isLink: boolean;
}

/** File systems without hard links answer with one of these. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];
const CHANGED = 'has changed since it was read.';
const LARGE_BYTES = 1024 * 1024;

/** Gives the present file a second name, so that it can come back. */
export function keepFile(swap: Swap): Kept | string {
  const { base, left } = swap;
  if (base === null) return { bytes: null, isLink: false };
  let isLink = true;
  try {
    linkSync(left.target, left.kept);
  } catch (error) {
    if (isMissing(error)) return 'is gone.';
    if (!NO_LINKS.includes(errorCode(error))) throw error;
    copyFileSync(left.target, left.kept, constants.COPYFILE_EXCL);
    isLink = false;
  }
  if (swap.baseBytes !== null) return { bytes: swap.baseBytes, isLink };
  const bytes = readFileSync(left.kept);
  return blobHash(bytes) === base ? { bytes, isLink } : CHANGED;
}

/** Puts the new content in the place of the kept one. */
export function putFile({ left, bytes }: Swap, kept: Kept): string | null {
  if (kept.bytes === null) return bytes === null ? null : createFile(left);
  // Whoever replaced the file by a rename meanwhile owns another inode under the name: theirs must not be displaced.
  const present = statSync(left.target, { bigint: true, throwIfNoEntry: false });
  if (present === undefined) return 'is gone.';
  if (kept.isLink && present.ino !== statSync(left.kept, { bigint: true }).ino) return CHANGED;
  // A large file is read once only, afterwards: as long as its second name is there, it can be brought back whole.
  const isCheckedLater = kept.isLink && kept.bytes.byteLength >= LARGE_BYTES;
  if (isCheckedLater ? present.size !== BigInt(kept.bytes.byteLength) : !holdsExactly(left.target, kept.bytes)) {
    return CHANGED;
  }
  if (bytes === null) rmSync(left.target);
  else renameSync(left.fresh, left.target);
  // A program that had the displaced file open may have written into it until the very last moment.
  if (!holdsExactly(left.kept, kept.bytes)) {
    renameSync(left.kept, left.target);
    return CHANGED;
  }
  return null;
}

/** One file by itself: the new content in the place of the base, or of nothing. The new content is left to the caller. */
export function swapFile(swap: Swap): string | null {
  try {
    const kept = keepFile(swap);
    return typeof kept === 'string' ? kept : putFile(swap, kept);
  } finally {
    rmSync(swap.left.kept, { force: true });
  }
}

/** Takes a change back that `putFile` made; null, or why that could not be. Somebody else's later content stays. */
export function takeBack({ left, bytes }: Swap, kept: Kept): string | null {
  try {
    if (bytes !== null && !holdsExactly(left.target, bytes)) return 'was changed again meanwhile.';
    if (kept.bytes === null) return removeOwn(left);
    else if (bytes === null) linkSync(left.kept, left.target);
    else renameSync(left.kept, left.target);
    return null;
  } catch (error) {
    return `could not be brought back (${errorCode(error)}).`;
  }
}

/** Whoever settled the attempt while this process slept took the temporary name, and the file is not ours any more. */
function removeOwn(left: Leftovers): string | null {
  if (statSync(left.fresh, { throwIfNoEntry: false }) === undefined) return 'is not its own any more.';
  rmSync(left.target);
  return null;
}

function createFile(left: Leftovers): string | null {
  try {
    linkSync(left.fresh, left.target);
    return null;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'exists already.';
    if (!NO_LINKS.includes(errorCode(error))) throw error;
  }
  try {
    copyFileSync(left.fresh, left.target, constants.COPYFILE_EXCL);
    return null;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'exists already.';
    throw error;
  }
}
