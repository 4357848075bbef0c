import path from 'node:path';
import { changesByRound, type Fact, fold, hiddenRanges, type State } from '#kernel';
import type { Store } from '#ledger';
import { ok, type Result } from '#lib';
import type { Problem } from '#surfaces/cli';
import type { PathChange, Scan } from '#workspace';
import { attempt, problem } from '../problem.ts';
import { neverBegan } from './never-began.ts';
import { openWorkspaceAt, type Place } from './open-workspace-at.ts';

/**
 * The difference between the workspace as the session found it and now, as one patch. What checks leave behind is left
 * out, and so are files that only others changed, as far as the ledger tells them apart.
 */
export async function changesOf(
  store: Store,
  sessionId: string,
  env: NodeJS.ProcessEnv,
): Promise<Result<{ readonly text: string; readonly others: readonly string[] }, Problem>> {
  const made = await attempt(async () => {
    const { facts } = await store.openReader(sessionId);
    const state = fold(facts);
    if (state.workspace === null) return neverBegan(sessionId, state.seq);
    const folder = path.join(store.home, 'sessions', sessionId);
    const placed = await openWorkspaceAt(state.workspace, folder, store.home, env);
    if (!placed.ok) return placed;
    const { workspace, base } = placed.value;
    const found = await base.base();
    if (found === null) {
      const missing = `the files as session ${sessionId} found them are not kept in ${folder}`;
      return problem(1, `${missing}, so its change cannot be shown; an imported session does not bring them`);
    }
    const products = new Set(state.world.products);
    const foreign = changedByOthersOnly(facts, state, found, placed.value);
    const own = { sinceMs: facts[0]?.ts ?? 0, written: writtenFirst(facts) };
    const all = (await base.changesSince(await workspace.revision.scan(), own)).filter(
      ({ path: p }) => !products.has(p),
    );
    const changes = all.filter(({ path: p }) => !foreign.has(p));
    const others = all.filter(({ path: p }) => foreign.has(p)).map(({ path: p }) => p);
    return ok({ text: changes.map(patchOf).join('\n'), others });
  });
  return made.ok ? made.value : made;
}

/** Files that edits changed, with the content hash before the first of them. */
function writtenFirst(facts: readonly Fact[]): ReadonlyMap<string, string | null> {
  const written = new Map<string, string | null>();
  for (const fact of facts) {
    if (fact.type !== 'attempt.outcome') continue;
    for (const { path: one, base } of fact.files ?? []) {
      if (!written.has(one)) written.set(one, typeof base === 'string' ? base : null);
    }
  }
  return written;
}

const patchOf = (change: PathChange): string =>
  change.diff?.trimEnd() ?? `${change.status} ${change.path}${change.note === undefined ? '' : ` (${change.note})`}`;

function changedByOthersOnly(facts: readonly Fact[], state: State, base: Scan, { checkpoints }: Place): Set<string> {
  const first = facts[0];
  const forked = first?.type === 'session.created' ? (first.parent?.seq ?? 0) : 0;
  const stretches = changesByRound(facts, hiddenRanges(state.undo, 'files'), forked, {
    base: (one) => base.manifest.get(one) ?? null,
    manifest: (ref) => checkpoints.manifest(ref),
  });
  const foreign = new Set<string>();
  // Where facts are lost, the command that made a difference may be among them.
  if (facts.some(({ type }) => type === 'record.lost')) return foreign;
  for (const { by, changes } of stretches) if (by === 'others') for (const { path: one } of changes) foreign.add(one);
  for (const { by, changes } of stretches) if (by === 'belay') for (const { path: one } of changes) foreign.delete(one);
  return foreign;
}
