import { relative, sep } from 'node:path';
import type { Revisions, Scan, SlowScan, WorkspaceOptions } from '../contract.ts';
import { isInside, realPathOfMissing } from '../files/resolve-path.ts';
import { toolEnv } from '../process/command-env.ts';
import type { FindProgram } from '../process/programs.ts';
import { elsewhere } from './elsewhere.ts';
import { ignoreRules } from './ignore-rules.ts';
import { isDirty, uncommitted } from './is-dirty.ts';
import { listIgnored } from './list-ignored.ts';
import { amendScan, changedPaths, scanOf, treeOf } from './manifest.ts';
import { repositoryTop } from './root-rules.ts';
import { scanTree } from './scan-tree.ts';
import { stagedOnly } from './staged-only.ts';
import { statCache } from './stat-cache.ts';
import { trackedReader } from './tracked-paths.ts';

/** `root` is a real path. */
export function openRevisions(root: string, options: WorkspaceOptions, find: FindProgram): Revisions {
  const ignore = ignoreRules();
  const tracked = trackedReader();
  const cache = statCache(options.cacheFile ?? null);
  let last: Scan | null = null;
  let isSlowTold = false;
  return {
    async scan(signal) {
      const hidden = hiddenPaths(root, options.protectedPaths);
      const onSlow = (seen: SlowScan) => {
        if (!isSlowTold) options.onSlowScan?.(seen);
        isSlowTold = true;
      };
      last = scanOf(await scanTree({ root, hidden, ignore, tracked, cache, onSlow }, signal), last);
      return last;
    },
    ignored: (limits, signal) =>
      listIgnored(
        { root, hidden: hiddenPaths(root, options.protectedPaths), ignore, tracked: tracked(root) },
        limits,
        signal,
      ),
    amend: amendScan,
    tree: treeOf,
    changed: changedPaths,
    tracked: async () => (repositoryTop(root) === null ? null : tracked(root).files),
    stagedOnly: () => stagedOnly({ root, git: find('git'), env: toolEnv(options.env) }),
    uncommitted: () => uncommitted({ root, git: find('git'), env: toolEnv(options.env) }),
    elsewhere: (which) => elsewhere({ root, git: find('git'), env: toolEnv(options.env) }, which),
    isDirty: (signal) => isDirty({ root, git: find('git'), env: toolEnv(options.env), signal }),
  };
}

/** Belay's own data as far as it lies inside the workspace; looked up at each scan, because links can change. */
function hiddenPaths(root: string, protectedPaths: readonly string[]): ReadonlySet<string> {
  const real = protectedPaths.map((path) => realPathOfMissing(path)).filter((path) => isInside(root, path));
  return new Set(real.map((path) => relative(root, path).split(sep).join('/')));
}
