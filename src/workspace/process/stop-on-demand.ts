import type { SpawnRequest } from '../contract.ts';
import type { Tree } from './process-table.ts';
import { type StopLevel, stopTrees } from './stop-tree.ts';

/** Time a command gets between TERM and KILL. */
export const GRACE_MS = 1_500;
/** The longest time a Node timer can wait. */
const TIMER_MAX_MS = 2_147_483_647;

export interface Stopper {
  readonly done: Promise<void>;
  reason(): 'timed-out' | 'cancelled' | undefined;
  finish(): StopLevel | undefined;
}

/** Stops the tree at the deadline or at the abort, whichever comes first. */
export function stopOnDemand(request: Pick<SpawnRequest, 'timeoutMs' | 'signal'>, tree: Tree): Stopper {
  let reason: 'timed-out' | 'cancelled' | undefined;
  let level: StopLevel | undefined;
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  const stop = async (why: 'timed-out' | 'cancelled') => {
    if (reason !== undefined) return;
    reason = why;
    level = await stopTrees([tree], GRACE_MS);
    end();
  };
  const timer = setTimeout(() => void stop('timed-out'), Math.min(request.timeoutMs, TIMER_MAX_MS));
  const onAbort = () => void stop('cancelled');
  request.signal.addEventListener('abort', onAbort, { once: true });
  if (request.signal.aborted) onAbort();
  return {
    done,
    reason: () => reason,
    finish() {
      clearTimeout(timer);
      request.signal.removeEventListener('abort', onAbort);
      return level;
    },
  };
}
