/** Who is killed. SIGKILL only: nobody gets a chance to say anything. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { execFolders, type Place, textOf } from './place.ts';

/**
 * `agent` the process alone · `group` its process group · `wrapper` the outer shell of the command, while the agent
 * lives · `wrapper and agent` both · `tree` everything of the session at once, as when a container stops.
 */
export const killKinds = ['agent', 'group', 'wrapper', 'wrapper and agent', 'tree'] as const;
export type KillKind = (typeof killKinds)[number];

/** False where a wrapper was meant and none was alive; whether the agent died of it is seen from how it ended. */
export async function kill(kind: KillKind, place: Place, agent: number): Promise<boolean> {
  if (kind === 'tree') {
    await killTree(place);
    return true;
  }
  const shells = kind === 'wrapper' || kind === 'wrapper and agent' ? wrappers(place) : null;
  for (const pid of shells ?? []) signal(pid, 'SIGKILL');
  if (kind !== 'wrapper') signal(kind === 'agent' ? agent : -agent, 'SIGKILL');
  return shells === null || shells.length > 0;
}

/** Everybody is stopped before the first one dies, so that none sees another's death. */
async function killTree(place: Place): Promise<void> {
  const stopped = new Set<number>();
  for (
    let fresh = processesOf(place);
    fresh.length > 0;
    fresh = processesOf(place).filter((pid) => !stopped.has(pid))
  ) {
    for (const pid of fresh) {
      stopped.add(pid);
      signal(pid, 'SIGSTOP');
    }
  }
  for (const pid of stopped) signal(pid, 'SIGKILL');
  while (processesOf(place).length > 0) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Living processes whose environment names the folder of the trial: agents, wrappers and commands. */
export function processesOf(place: Place): readonly number[] {
  const mark = `HOME=${path.join(place.folder, 'user')}\0`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(`/proc/${pid}/environ`).includes(mark) && !isDead(pid))
    .map(Number);
}

const isDead = (pid: string): boolean => {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' || /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
};

/** Whether everybody in a process group is stopped or dead. */
export const areStopped = (group: number): boolean =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => read(`/proc/${pid}/stat`))
    .map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' '))
    .every(([state, , id]) => Number(id) !== group || /^[TZX]$/.test(state ?? ''));

/** The outer shells that live, as their claims name them. */
function wrappers(place: Place): readonly number[] {
  return execFolders(place)
    .map((folder) => Number.parseInt(textOf(path.join(folder, 'claim')), 10))
    .filter((pid) => pid > 0 && !isDead(String(pid)));
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone.
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
