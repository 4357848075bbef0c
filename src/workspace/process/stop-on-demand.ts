import type { SpawnRequest } from '../contract.ts';
import { readReceipt } from './exec-folder.ts';
import { anyAlive, type Tree } from './process-table.ts';
import { type StopLevel, stopTrees } from './stop-tree.ts';

/** Time a command gets between TERM and KILL. */
export const GRACE_MS = 1_500;
/** The longest time a Node timer can wait. */
const TIMER_MAX_MS = 2_147_483_647;

export interface Stopper {
  readonly done: Promise<void>;
  hasBegun(): boolean;
  /** Why it was ended; absent where it had ended by itself before, and only what it left behind was stopped. */
  reason(): 'timed-out' | 'cancelled' | undefined;
  finish(): StopLevel | undefined;
}

/** Stops the tree at the deadline or at the abort, whichever comes first. */
export function stopOnDemand(request: Pick<SpawnRequest, 'timeoutMs' | 'signal' | 'execFolder'>, tree: Tree): Stopper {
  let begun = false;
  let reason: 'timed-out' | 'cancelled' | undefined;
  let level: StopLevel | undefined;
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  const stop = async (why: 'timed-out' | 'cancelled') => {
    if (begun) return;
    begun = true;
    if (anyAlive(tree)) {
      // Looked for in this order: who was alive and had told no end was ended by us.
      if (readReceipt(request.execFolder) === null) reason = why;
      level = await stopTrees([tree], GRACE_MS);
    }
    end();
  };
  const timer = setTimeout(() => void stop('timed-out'), Math.min(request.timeoutMs, TIMER_MAX_MS));
  const onAbort = () => void stop('cancelled');
  request.signal.addEventListener('abort', onAbort, { once: true });
  if (request.signal.aborted) onAbort();
  return {
    done,
    hasBegun: () => begun,
    reason: () => reason,
    finish() {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', onAbort);
      return level;
    },
  };
}
