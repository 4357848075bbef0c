import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ok, type Result } from '#lib';
import type { Problem } from '#surfaces/cli';
import {
  type BaseStore,
  type Checkpoints,
  type Confinement,
  openBaseStore,
  openCheckpoints,
  openWorkspace,
  programFinder,
  type SlowScan,
  toolEnv,
  type Workspace,
} from '#workspace';
import type { Unseen } from '../ports/empty-places.ts';
import { problem } from '../problem.ts';

export interface Place {
  readonly workspace: Workspace;
  /** Content as it was before the session changed it. */
  readonly base: BaseStore;
  /** Points to which its files can be brought back. */
  readonly checkpoints: Checkpoints;
  /** Paths that edits of this process changed. */
  readonly written: ReadonlySet<string>;
  /** Folder of what all sessions on this workspace share: lock, scan cache, checkpoints. */
  readonly shared: string;
  /** Commands that start from now on are confined so; null: they run as they are. `unseen`: what they do not see then. */
  confineWith(confinement: Confinement | null, unseen: Unseen): void;
  unseen(): Unseen;
  /** Commands that start from now on get these variables besides. */
  passOn(variables: Readonly<Record<string, string>>): void;
}

/**
 * Opens the workspace of a session. The data folder is refused as a workspace and protected inside one. `bootId`
 * replaces the identity of the machine's present run.
 */
export async function openWorkspaceAt(
  folder: string,
  sessionFolder: string,
  home: string,
  env: NodeJS.ProcessEnv,
  bootId?: string,
  onSlowScan?: (seen: SlowScan) => void,
): Promise<Result<Place, Problem>> {
  const root = await realFolder(folder);
  if (root === null) return problem(42, `the workspace ${folder} is not an existing folder`);
  const realHome = await realpath(home).catch(() => home);
  if (isInside(root, realHome)) {
    return problem(42, `the workspace ${root} lies inside Belay's data folder ${realHome}; set BELAY_HOME elsewhere`);
  }
  const whenKilled = env['BELAY_WHEN_KILLED'] ?? 'keep';
  if (whenKilled !== 'keep' && whenKilled !== 'end') {
    return problem(52, `BELAY_WHEN_KILLED must be keep or end, not ${JSON.stringify(whenKilled)}`);
  }
  const own = sharedFolder(home, root);
  const git = programFinder(root, env['PATH'])('git');
  const base = openBaseStore({ folder: path.join(sessionFolder, 'base'), root, git, env: toolEnv(env) });
  let confinement: Confinement | null = null;
  let passed: Readonly<Record<string, string>> = {};
  const written = new Set<string>();
  const workspace = await openWorkspace({
    root,
    protectedPaths: [home],
    env,
    passed: () => passed,
    lockFolder: own,
    cacheFile: path.join(own, 'scan.json'),
    whenKilled,
    ...(bootId === undefined ? {} : { bootId }),
    ...(onSlowScan === undefined ? {} : { onSlowScan }),
    confinement: {
      confine: async (cwd) => (confinement === null ? null : confinement.confine(cwd)),
      tidy: (isQuiet) => confinement?.tidy(isQuiet) ?? [],
      isOn: () => confinement !== null,
      hasNetwork: () => confinement?.hasNetwork() ?? true,
      close: () => confinement?.close?.(),
    },
    // The new content too: a later command may take it away before anybody looked.
    async onDisplace(changed, before, after) {
      written.add(changed);
      if (before === null && after !== null) confinement?.accept?.(path.join(root, changed));
      await base.capture(changed, before);
      await base.capture(changed, after);
    },
  });
  const checkpoints = openCheckpoints({
    folder: checkpointsIn(own),
    root,
    keptIn: [path.join(sessionFolder, 'base', 'objects')],
  });
  let unseen: Unseen = { isShownEmpty: () => false, links: [] };
  return ok({
    workspace,
    base,
    checkpoints,
    written,
    shared: own,
    confineWith(next, hidden) {
      confinement = next;
      unseen = hidden;
    },
    unseen: () => unseen,
    passOn(variables) {
      passed = variables;
    },
  });
}

/** Folder of what all sessions on the workspace share. */
export const sharedFolder = (home: string, root: string): string =>
  path.join(home, 'workspaces', createHash('sha256').update(root).digest('hex').slice(0, 16));

/** Where contents of files are kept there, to go back to. */
export const checkpointsIn = (shared: string): string => path.join(shared, 'checkpoints');

/** The real path of a folder; null when it is none. */
export async function realFolder(folder: string): Promise<string | null> {
  try {
    const real = await realpath(folder);
    return (await stat(real)).isDirectory() ? real : null;
  } catch {
    return null;
  }
}

function isInside(inner: string, outer: string): boolean {
  const relative = path.relative(outer, inner);
  return relative === '' || (!relative.startsWith('..') && !path.isAbsolute(relative));
}
