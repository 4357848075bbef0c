/** Follows a wrapper that this process started, from the go line to the settled end. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isUnmarked, readClaim, revokeClaim } from '../claim.ts';
import type { ProcessResult, SpawnRequest } from '../contract.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { readHead, spoolPath } from './exec-folder.ts';
import { followOutput } from './follow-output.ts';
import { anyAlive, backgroundProcesses, groupExists, hasProcessTable, isAlone, type Tree } from './process-table.ts';
import { describeEnd, didNotRun, isOutputWhole } from './result.ts';
import { stopOnDemand } from './stop-on-demand.ts';
import { NO_GO, NOT_CLAIMED } from './wrapper.ts';
import type { Wrapper } from './wrapper-handle.ts';

/** How long the exit of the wrapper is waited for after the status: longer means a child holds the output open. */
const EXIT_WAIT_MS = 15;
/** How often the parts of a wrapper whose outer shell was killed are looked for. */
const ALIVE_POLL_MS = 50;
/** How long the end may take after everything of the command was killed. */
const KILLED_WAIT_MS = 1_000;

export async function supervise(wrapper: Wrapper, tree: Tree, request: SpawnRequest): Promise<ProcessResult> {
  const folder = request.execFolder;
  const follower = followOutput(spoolPath(folder), tree.nonce, request.onOutput);
  wrapper.go();
  request.onStarted?.();
  const settled = settle(wrapper, folder, tree);
  const stop = stopOnDemand(request, tree);
  await Promise.race([settled, stop.done]);
  // Once it is being stopped, the end of the shell alone is not the end: its children must be gone, too.
  if (stop.hasBegun()) await stop.done;
  const stopLevel = stop.finish();
  await within(settled, KILLED_WAIT_MS);
  const leftAlive = await childrenLeft(wrapper, tree, folder);
  wrapper.release();
  const code = wrapper.left() ?? wrapper.exit()?.code;
  if (code === NOT_CLAIMED) refuseUnclaimed(folder);
  // A wrapper that was killed before its claim has run nothing, and with the claim revoked nothing ever will.
  const isUnclaimed =
    code === NOT_CLAIMED || code === NO_GO || (code === null && revokeClaim(folder) && isUnmarked(folder));
  if (isUnclaimed) return didNotRun(folder, 'not-started');
  const end = describeEnd(folder, tree, {
    provenance: 'live',
    status: wrapper.status(),
    stopped: stop.reason(),
    stopLevel,
    leftAlive,
  });
  follower.finish(end.outputBytes);
  return end;
}

/** Nobody else has the claim, so it could not be written: what is recorded of this session has no room any more. */
function refuseUnclaimed(folder: string): void {
  const { kind } = readClaim(folder);
  if (kind !== 'free' && kind !== 'partial') return;
  throw new WorkspaceError('full', `There is no space for the claim of a command in ${folder}; nothing was run`);
}

/**
 * The inner shell told the status or is gone; and then marker, cut or the end of every reader, because the status can
 * overtake the output. The exit of the outer shell alone says nothing: it can be killed without loss.
 */
async function settle(wrapper: Wrapper, folder: string, tree: Tree): Promise<void> {
  const over = Promise.race([wrapper.told, wrapper.closed]);
  await Promise.race([over, wrapper.exited]);
  const isKilled = () => wrapper.exit()?.code === null;
  if (isKilled()) {
    while (anyAlive(tree) && !(await within(over, ALIVE_POLL_MS)));
    // Whoever is dead has told what it had to tell; it only has to be read.
    await within(over, EXIT_WAIT_MS);
  } else await over;
  await within(wrapper.exited, EXIT_WAIT_MS);
  for (let pauseMs = 1; wrapper.exit() === undefined || isKilled(); pauseMs = Math.min(pauseMs * 2, 50)) {
    if (isOutputWhole(folder, tree.nonce)) return;
    if (isKilled() && !anyAlive(tree)) return;
    await (isKilled() ? sleep(pauseMs) : within(wrapper.exited, pauseMs));
  }
}

/**
 * Background children. The exact look costs milliseconds, so it is taken only when the group is not empty. The first
 * process of a namespace is in the group until the namespace is taken down, and by then has no children.
 */
async function childrenLeft(wrapper: Wrapper, tree: Tree, folder: string): Promise<readonly number[]> {
  if (wrapper.exit() !== undefined) {
    if (!groupExists(tree.leader)) return [];
    const head = readHead(folder);
    if (head !== null && isAlone(head)) return [];
  }
  if (!hasProcessTable()) return groupExists(tree.leader) ? [tree.leader] : [];
  return backgroundProcesses(tree).map(({ pid }) => pid);
}

/** Waits for a promise, but no longer than the given time. Whether it came. */
function within(promise: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false);
    void promise.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
