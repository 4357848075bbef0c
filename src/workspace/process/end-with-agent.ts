/**
 * Helper programs of ours end with this process, however that ends: one that waits for a pipe, or reads a file without an
 * end, would go on for ever.
 */
import { type ChildProcess, spawn } from 'node:child_process';

/** Most helpers are done before; a second program for each would cost more than they do. */
const LASTING_MS = 200;
/** Its input ends when this process does, and not before. Everything in it is built into the shell. */
const WATCH = 'read -r _; kill -9 "$1"';

const running = new Set<number>();

function endAll(): void {
  for (const target of running) kill(target);
}

/** `target` is a process id, or the negative id of a group. Returns what is to be called when it has ended. */
export function endWithAgent(target: number): () => void {
  if (running.size === 0) process.on('exit', endAll);
  running.add(target);
  let watcher: ChildProcess | null = null;
  const timer = setTimeout(() => {
    watcher = watch(target);
  }, LASTING_MS);
  timer.unref();
  return () => {
    clearTimeout(timer);
    // It is killed before its input ends, or it would take the end of the helper for ours.
    watcher?.kill('SIGKILL');
    running.delete(target);
    if (running.size === 0) process.off('exit', endAll);
  };
}

function watch(target: number): ChildProcess {
  const child = spawn('/bin/sh', ['-c', WATCH, 'belay', String(target)], {
    argv0: 'sh',
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it the helper still ends with its time limit, or with an orderly end of this process.
  child.on('error', () => undefined);
  child.stdin?.on('error', () => undefined);
  child.unref();
  (child.stdin as { unref?: () => void } | null)?.unref?.();
  return child;
}

/** Kills a process or a group, if it is still there. */
export function kill(target: number): void {
  try {
    process.kill(target, 'SIGKILL');
  } catch {
    // It ended meanwhile.
  }
}
