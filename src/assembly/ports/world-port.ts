import type { BodyOf } from '#kernel';
import type { WorldPort } from '#runtime';
import type { BaseStore, Checkpoints, Scan, Workspace } from '#workspace';

export interface World extends WorldPort {
  /** The last scan of this process. */
  last(): Scan | null;
  /** Takes a scan for the last one: the workspace was seen to be so. */
  know(scan: Scan): void;
  /** Keeps the last scan, and these ignored files besides it; they are looked at once more at the next point. */
  keepWith?(ignored: readonly string[], signal: AbortSignal): Promise<BodyOf<'checkpoint.taken'> | null>;
}

/** What is needed to keep a scan as a point to go back to. */
export interface Points {
  readonly base: BaseStore;
  readonly checkpoints: Checkpoints;
  /** Ignored files that were kept before a command and have not been looked at since. */
  readonly guarded?: () => readonly string[];
  /** False where nothing of ours is going to change the workspace, so that what it began with need not be kept. */
  readonly keepsStart?: boolean;
}

/** Scans of the workspace for the runtime. `changed` is what differs from the scan before. */
export function worldPort({ revision }: Workspace, first: Scan | null, points?: Points): World {
  let last = first;
  let start = first;
  const world: World = {
    last: () => last,
    know(scan) {
      last = scan;
    },
    async scan(state, signal) {
      const scan = await revision.scan(signal);
      const changed = last === null ? [] : revision.changed(last, scan);
      last = scan;
      return { revision: scan.revision, tree: revision.tree(scan, state.world.products), changed };
    },
  };
  if (points === undefined) return world;
  /** False once nothing that was kept waits for a second look. */
  let mayWait = points.guarded !== undefined;
  const point = async (extra: readonly string[], signal: AbortSignal) => {
    start ??= await points.base.base();
    if (last === null || start === null) return null;
    if (points.keepsStart !== false) await points.checkpoints.keepStart(last, start, signal);
    const { ref, uncovered } = await points.checkpoints.take(last, start, signal);
    const waiting = mayWait ? (points.guarded?.() ?? []) : [];
    mayWait = waiting.length > 0 || extra.length > 0;
    const apart = mayWait ? await points.checkpoints.takeApart([...new Set([...waiting, ...extra])], signal) : null;
    const missing = [...uncovered, ...(apart?.uncovered ?? [])].slice(0, uncoveredMax);
    return {
      type: 'checkpoint.taken' as const,
      revision: last.revision,
      ref,
      ...(missing.length === 0 ? {} : { uncovered: missing }),
      ...(apart === null ? {} : { guarded: apart.ref }),
    };
  };
  return { ...world, checkpoint: (signal) => point([], signal), keepWith: point };
}

/** Paths named in one fact. */
const uncoveredMax = 20;
