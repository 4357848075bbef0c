import path from 'node:path';
import { fold } from '#kernel';
import type { Store } from '#ledger';
import { ok, type Result } from '#lib';
import type { Problem } from '#surfaces/cli';
import type { PathChange } from '#workspace';
import { attempt, problem } from '../problem.ts';
import { neverBegan } from './never-began.ts';
import { openWorkspaceAt } from './open-workspace-at.ts';

/** The difference between the workspace as the session found it and now, as one patch. What checks leave behind is left out. */
export async function changesOf(
  store: Store,
  sessionId: string,
  env: NodeJS.ProcessEnv,
): Promise<Result<string, Problem>> {
  const made = await attempt(async () => {
    const { facts } = await store.openReader(sessionId);
    const state = fold(facts);
    if (state.workspace === null) return neverBegan(sessionId);
    const folder = path.join(store.home, 'sessions', sessionId);
    const placed = await openWorkspaceAt(state.workspace, folder, store.home, env);
    if (!placed.ok) return placed;
    const { workspace, base } = placed.value;
    if ((await base.base()) === null) {
      const missing = `the files as session ${sessionId} found them are not kept in ${folder}`;
      return problem(1, `${missing}, so its change cannot be shown; an imported session does not bring them`);
    }
    const products = new Set(state.world.products);
    const changes = (await base.changesSince(await workspace.revision.scan())).filter(
      ({ path: p }) => !products.has(p),
    );
    return ok(changes.map(patchOf).join('\n'));
  });
  return made.ok ? made.value : made;
}

const patchOf = (change: PathChange): string =>
  change.diff?.trimEnd() ?? `${change.status} ${change.path}${change.note === undefined ? '' : ` (${change.note})`}`;
