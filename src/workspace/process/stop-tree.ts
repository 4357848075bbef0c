/**
 * Stops a command and all it started: a request first, then force.
 *
 * TERM goes to the group (the wrapper survives it and tells the end). After the grace time everything that is still
 * there is stopped, looked for again until nothing new appears, and killed; a process is compared by its start time
 * right before each signal. What was seen once is held to it, whatever it leaves when its parents die: session, tag and
 * parents. Where the command has a process namespace of its own, its first process is killed first, and
 * the system ends all others with it, at once and without exception. The wrapper itself is spared, so that output and receipt stay whole, unless it does not
 * leave: one that was stopped from outside could still start its command when it is revived.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  commandProcesses,
  hasProcessTable,
  isSameProcess,
  namespaceHeads,
  type ProcessInfo,
  type Tree,
  wrapperProcesses,
} from './process-table.ts';

export type StopLevel = 'pidns' | 'session+tag' | 'group';

/** A fork bomb could outrun any number of scans; this many find every ordinary tree. */
const SCANS_MAX = 50;
const POLL_MS = 20;
const GONE_WAIT_MS = 2_000;

export async function stopTrees(trees: readonly Tree[], graceMs: number): Promise<StopLevel> {
  if (!hasProcessTable()) {
    for (const { leader } of trees) signalGroup(leader, 'SIGTERM');
    await sleep(graceMs);
    for (const { leader } of trees) signalGroup(leader, 'SIGKILL');
    return 'group';
  }
  const look = lookout(trees);
  const isOver = () => look().length === 0 && wrapperProcesses(trees).length === 0;
  const heads = namespaceHeads(trees);
  const level = trees.every(({ leader }) => heads.some((head) => head.session === leader)) ? 'pidns' : 'session+tag';
  ask(trees, heads, look());
  const until = performance.now() + graceMs;
  while (performance.now() < until) {
    if (isOver()) return level;
    await sleep(POLL_MS);
  }
  for (const one of namespaceHeads(trees)) signal(one, 'SIGKILL');
  await killAll(look);
  // With its command gone a wrapper has only its receipt to write.
  const left = performance.now() + GONE_WAIT_MS;
  while (performance.now() < left && !isOver()) await sleep(POLL_MS);
  for (const one of wrapperProcesses(trees)) signal(one, 'SIGKILL');
  return level;
}

/** Finds the living processes of the commands, also those that it found before and nothing else names any more. */
function lookout(trees: readonly Tree[]): () => readonly ProcessInfo[] {
  const seen = new Map<number, ProcessInfo>();
  return () => {
    const found = commandProcesses(trees, seen);
    for (const one of found) seen.set(one.pid, one);
    return found;
  };
}

/**
 * The program that holds a namespace would die of a TERM to its group and tell that as the end of the command, so there
 * each process inside is asked by itself.
 */
function ask(trees: readonly Tree[], heads: readonly ProcessInfo[], command: readonly ProcessInfo[]): void {
  const plain = new Set(
    trees.map(({ leader }) => leader).filter((leader) => !heads.some((one) => one.session === leader)),
  );
  for (const leader of plain) signalGroup(leader, 'SIGTERM');
  const holders = new Set(heads.flatMap(({ pid, ppid }) => [pid, ppid]));
  // Jobs and sessions of their own do not hear the group.
  for (const one of command) {
    if (!plain.has(one.group) && !holders.has(one.pid)) signal(one, 'SIGTERM');
  }
}

/** Without a word and without waiting, for an end that waits for nothing; wrappers are spared. Tells the process ids. */
export function killNow(trees: readonly Tree[]): readonly number[] {
  if (!hasProcessTable()) {
    for (const { leader } of trees) signalGroup(leader, 'SIGKILL');
    return [];
  }
  const found = stopAll(lookout(trees));
  for (const one of found) signal(one, 'SIGKILL');
  return found.map(({ pid }) => pid);
}

async function killAll(look: () => readonly ProcessInfo[]): Promise<void> {
  const found = stopAll(look);
  for (const one of found) signal(one, 'SIGKILL');
  const until = performance.now() + GONE_WAIT_MS;
  while (performance.now() < until && found.some(isSameProcess)) await sleep(POLL_MS);
}

/** Stops them, so that none starts another one that is not seen. */
function stopAll(look: () => readonly ProcessInfo[]): readonly ProcessInfo[] {
  const seen = new Map<number, ProcessInfo>();
  for (let scan = 0; scan < SCANS_MAX; scan++) {
    const fresh = look().filter((one) => seen.get(one.pid)?.start !== one.start);
    if (fresh.length === 0) break;
    for (const one of fresh) {
      seen.set(one.pid, one);
      signal(one, 'SIGSTOP');
    }
  }
  return [...seen.values()];
}

function signal(one: ProcessInfo, name: NodeJS.Signals): void {
  if (!isSameProcess(one)) return;
  try {
    process.kill(one.pid, name);
  } catch {
    // It ended by itself, or belongs to somebody else.
  }
}

function signalGroup(leader: number, name: NodeJS.Signals): void {
  // To the system -1 means everybody, and no wrapper is its first process.
  if (leader <= 1) return;
  try {
    process.kill(-leader, name);
  } catch {
    // The group is gone.
  }
}
