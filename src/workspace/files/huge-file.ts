/**
 * Files so large that hashing one would hold up the first request. They are told apart by what `lstat` says, in the
 * place of a hash; no point keeps them anyway.
 */
import type { BigIntStats } from 'node:fs';

/** Longer files are not hashed. */
const HASHED_BYTES_MAX = 256 * 1024 * 1024;

const MARK = 'stat-';

/** What stands for the hash of such a file; null for a file that is hashed. A look at the same state says the same. */
export function identityOfHuge({ size, ino, mtimeNs, ctimeNs }: BigIntStats): string | null {
  return size > BigInt(HASHED_BYTES_MAX) ? `${MARK}${size}-${ino}-${mtimeNs}-${ctimeNs}` : null;
}

/** The size of a file whose side in a manifest (`mode hash`) is no hash but such an identity; null for any other. */
export function hugeSizeOf(side: string): number | null {
  const text = side.slice(side.indexOf(' ') + 1);
  return text.startsWith(MARK) ? Number(/^stat-(\d+)/.exec(text)?.[1]) : null;
}
