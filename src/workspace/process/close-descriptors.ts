import { closeSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Closes descriptors above 2 that this process inherited and would pass on: a lock or a socket of somebody else must
 * not live as long as our longest command. Node marks its own as close-on-exec. Call once, first thing at start.
 */
export function closeInheritedDescriptors(env: Readonly<Record<string, string | undefined>>): readonly number[] {
  const closed: number[] = [];
  // Node's channel to a parent Node process is inherited on purpose.
  const channel = Number(env['NODE_CHANNEL_FD'] ?? -1);
  for (const fd of openDescriptors()) {
    if (fd <= 2 || fd === channel || isClosedOnExec(fd)) continue;
    try {
      closeSync(fd);
      closed.push(fd);
    } catch {
      // It was the descriptor of the listing itself.
    }
  }
  return closed;
}

function openDescriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

function isClosedOnExec(fd: number): boolean {
  const O_CLOEXEC = 0o2000000;
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
    return flags === undefined || (Number.parseInt(flags, 8) & O_CLOEXEC) !== 0;
  } catch {
    return true;
  }
}
