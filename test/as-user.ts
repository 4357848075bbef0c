import { chownSync } from 'node:fs';

const NOBODY = 65_534;

/**
 * Runs something as a user whom modes bind, to whom the paths are given: root may read everything, so that tests as root
 * would see nothing refused.
 */
export async function asUser<T>(paths: readonly string[], run: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0) return run();
  for (const path of paths) chownSync(path, NOBODY, NOBODY);
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}
