/**
 * The session lock as each process has it. The product keeps the locks of its process in a module variable, by path; all
 * simulated processes share that variable, so each of them sees the folder under a path of its own, as if it were mounted.
 */
import { acquireLock } from '../../../src/ledger/lock.ts';
import type { Machine } from '../os/machine.ts';

/** Takes the lock as the present process, which gives it back when it dies. */
export async function lockOf(machine: Machine, folder: string): ReturnType<typeof acquireLock> {
  const { current } = machine;
  if (current === null) throw new Error('only a process can hold a lock');
  mounts += 1;
  const lock = await acquireLock(`/mount/${mounts}${folder}`, 's');
  current.onDeath.push(() => lock.release());
  return lock;
}

let mounts = 0;
