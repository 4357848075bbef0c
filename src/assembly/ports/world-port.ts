import type { WorldPort } from '#runtime';
import type { Scan, Workspace } from '#workspace';

export interface World extends WorldPort {
  /** The last scan of this process. */
  last(): Scan | null;
}

/** Scans of the workspace for the runtime. `changed` is what differs from the scan before. */
export function worldPort(workspace: Workspace, first: Scan | null): World {
  const { revision } = workspace;
  let last = first;
  return {
    last: () => last,
    async scan(state, signal) {
      const scan = await revision.scan(signal);
      const changed = last === null ? [] : revision.changed(last, scan);
      last = scan;
      return { revision: scan.revision, tree: revision.tree(scan, state.world.products), changed };
    },
  };
}
