import type { WorldPort } from '#runtime';
import type { BaseStore, Checkpoints, Scan, Workspace } from '#workspace';

export interface World extends WorldPort {
  /** The last scan of this process. */
  last(): Scan | null;
  /** Takes a scan for the last one: the workspace was seen to be so. */
  know(scan: Scan): void;
}

/** What is needed to keep a scan as a point to go back to. */
export interface Points {
  readonly base: BaseStore;
  readonly checkpoints: Checkpoints;
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
  return {
    ...world,
    async checkpoint(signal) {
      start ??= await points.base.base();
      if (last === null || start === null) return null;
      if (points.keepsStart !== false) await points.checkpoints.keepStart(last, start, signal);
      const { ref, uncovered } = await points.checkpoints.take(last, start, signal);
      const missing = uncovered.length === 0 ? {} : { uncovered };
      return { type: 'checkpoint.taken', revision: last.revision, ref, ...missing };
    },
  };
}
