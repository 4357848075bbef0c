import { chownSync } from 'node:fs';

const NOBODY = 65_534;

/**
 * Runs something as a user whom modes bind, to whom the paths are given: root may read everything, so that tests as root
 * would see nothing refused. `groups`: in which the user is besides.
 */
export async function asUser<T>(
  paths: readonly string[],
  run: () => Promise<T>,
  groups: readonly number[] = [],
): Promise<T> {
  if (process.getuid?.() !== 0) return run();
  for (const path of paths) chownSync(path, NOBODY, NOBODY);
  const before = process.getgroups?.() ?? [];
  process.setgroups?.([...groups]);
  process.setegid?.(NOBODY);
  process.seteuid?.(NOBODY);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(before);
  }
}
