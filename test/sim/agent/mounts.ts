/**
 * The product keeps the locks of its process in a module variable, by path; all simulated processes share that variable,
 * so each of them sees the disk under a path of its own, as if it were mounted there.
 */
import type { Machine } from '../os/machine.ts';

/** Where the present process sees the disk. */
export function mountOf({ current }: Machine): string {
  if (current === null) throw new Error('only a process can hold a lock');
  mounts += 1;
  return `/mount/${mounts}`;
}

/** The same path as everybody sees it. */
export const unmounted = (path: string): string => path.replace(/^\/mount\/\d+/, '');

let mounts = 0;
