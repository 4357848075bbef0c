/** What Linux knows of a process and its descendants. */
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts CPU time in hundredths of a second on every system that Node runs on. */
const TICK_MS = 10;

/** CPU milliseconds of a living process, user and system, with all its ended children. */
export function cpuMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_MS;
}

/** Resident bytes of a process and all its living descendants. */
export function treeRssBytes(root: number): number {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const text = read(`/proc/${name}/stat`);
    parents.set(Number(name), Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const belongs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at))
      if (at === root) return true;
    return false;
  };
  return [...parents.keys()].filter(belongs).reduce((sum, pid) => sum + rssBytes(pid), 0);
}

/** Largest resident size that a living process has had, in bytes. */
export const peakRssBytes = (pid: number): number => kilobytes(pid, 'VmHWM') * 1024;

const rssBytes = (pid: number): number => kilobytes(pid, 'VmRSS') * 1024;

function kilobytes(pid: number, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
