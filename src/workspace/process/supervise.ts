/** Follows a wrapper that this process started, from the go line to the settled end. */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProcessResult, SpawnRequest } from '../contract.ts';
import { isCut, spoolPath } from './exec-folder.ts';
import { followOutput } from './follow-output.ts';
import { anyAlive, commandProcesses, groupExists, hasProcessTable, type Tree } from './process-table.ts';
import { describeEnd, didNotRun } from './result.ts';
import { hasMarker } from './spool.ts';
import { stopOnDemand } from './stop-on-demand.ts';
import { NO_GO, NOT_CLAIMED } from './wrapper.ts';

/** How long the exit of the wrapper is waited for after the status: longer means a child holds the output open. */
const EXIT_WAIT_MS = 15;
/** How long the end may take after everything of the command was killed. */
const KILLED_WAIT_MS = 1_000;

export async function supervise(child: ChildProcess, tree: Tree, request: SpawnRequest): Promise<ProcessResult> {
  const folder = request.execFolder;
  const watch = watchWrapper(child);
  const follower = followOutput(spoolPath(folder), tree.nonce, request.onOutput);
  (child.stdin as Writable).end('go\n');
  const settled = settle(child, watch, folder, tree);
  const stop = stopOnDemand(request, tree);
  await Promise.race([settled, stop.done]);
  // Once it is being stopped, the end of the shell alone is not the end: its children must be gone, too.
  if (stop.reason() !== undefined) await stop.done;
  const stopLevel = stop.finish();
  await within(settled, KILLED_WAIT_MS);
  const leftAlive = await childrenLeft(watch, tree);
  release(child);
  if (watch.exitCode() === NOT_CLAIMED || watch.exitCode() === NO_GO) return didNotRun(folder, 'not-started');
  const end = describeEnd(folder, tree, {
    provenance: 'live',
    status: watch.status(),
    stopped: stop.reason(),
    stopLevel,
    leftAlive,
  });
  follower.finish(end.outputBytes);
  return end;
}

interface Watch {
  readonly told: Promise<void>;
  /** Nobody can tell the status any more. */
  readonly closed: Promise<void>;
  readonly exited: Promise<void>;
  status(): number | null;
  exitCode(): number | null | undefined;
}

function watchWrapper(child: ChildProcess): Watch {
  let text = '';
  let exitCode: number | null | undefined;
  const status = () => (/^\d+\n/.test(text) ? Number.parseInt(text, 10) : null);
  const pipe = child.stdio[3] as Readable;
  const told = new Promise<void>((resolve) => {
    pipe.on('data', (chunk: Buffer) => {
      // A command that found the status pipe could flood it.
      if (text.length < 100) text += chunk.toString('latin1');
      if (status() !== null) resolve();
    });
  });
  pipe.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => {
    pipe.on('close', resolve);
  });
  const exited = new Promise<void>((resolve) => {
    child.on('exit', (code) => {
      exitCode = code;
      resolve();
    });
    child.on('error', () => resolve());
  });
  return { told, closed, exited, status, exitCode: () => exitCode };
}

/**
 * The inner shell told the status or is gone; and then marker, cut or the end of every reader, because the status can
 * overtake the output. The exit of the outer shell alone says nothing: it can be killed without loss.
 */
async function settle(child: ChildProcess, watch: Watch, folder: string, tree: Tree): Promise<void> {
  await Promise.race([watch.told, watch.closed]);
  await within(watch.exited, EXIT_WAIT_MS);
  for (let pauseMs = 1; child.exitCode === null; pauseMs = Math.min(pauseMs * 2, 50)) {
    if (isCut(folder) || hasMarker(spoolPath(folder), tree.nonce)) return;
    if (child.signalCode !== null && !anyAlive(tree)) return;
    await (child.signalCode === null ? within(watch.exited, pauseMs) : sleep(pauseMs));
  }
}

/** Background children. The exact look costs milliseconds, so it is taken only when the group is not empty. */
async function childrenLeft(watch: Watch, tree: Tree): Promise<readonly number[]> {
  if (watch.exitCode() !== undefined && !groupExists(tree.leader)) return [];
  if (!hasProcessTable()) return groupExists(tree.leader) ? [tree.leader] : [];
  return commandProcesses([tree]).map(({ pid }) => pid);
}

/** A wrapper that still drains a background child must not keep this process from ending. */
function release(child: ChildProcess): void {
  (child.stdio[3] as Readable).destroy();
  child.unref();
}

/** Waits for a promise, but no longer than the given time. */
function within(promise: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    void promise.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
