import path from 'node:path';
import { changesByRound, type Fact, fold, hiddenRanges, type State } from '#kernel';
import type { Store } from '#ledger';
import { ok, type Result } from '#lib';
import { createMasker, isSecret } from '#permission';
import type { Problem, SessionChange } from '#surfaces/cli';
import type { PathChange, Scan } from '#workspace';
import { attempt, problem } from '../problem.ts';
import { neverBegan } from './never-began.ts';
import { openWorkspaceAt, type Place } from './open-workspace-at.ts';

/**
 * The difference between the workspace as the session found it and now, as one patch. What checks leave behind is left
 * out, and so are files that only others changed, as far as the ledger tells them apart. Files that may hold a secret are
 * named and not shown; secrets elsewhere are masked.
 */
export async function changesOf(
  store: Store,
  sessionId: string,
  env: NodeJS.ProcessEnv,
): Promise<Result<SessionChange, Problem>> {
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
    const shown = changes.map(patchOf).join('\n');
    const text = createMasker(env).text(shown);
    return ok({ text, isMasked: text !== shown, others });
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

function patchOf({ path: at, status, diff, note }: PathChange): string {
  if (diff !== null && isSecret(at)) return `${status} ${at} (not shown: it may hold a secret)`;
  // The last lines of a hunk may be blank ones.
  return diff?.replace(/\n$/, '') ?? `${status} ${at}${note === undefined ? '' : ` (${note})`}`;
}

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
