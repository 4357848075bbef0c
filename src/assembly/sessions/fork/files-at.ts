import { changesByRound, type Fact, fold, hiddenRanges, same } from '#kernel';
import type { Scan } from '#workspace';
import type { Place } from '../open-workspace-at.ts';

export interface FilesAt {
  readonly manifest: ReadonlyMap<string, string>;
  /** False where a command ran whose changes were not told apart from those of later ones. */
  readonly exact: boolean;
}

/** The files as they were after fact `at`, as far as they are known. */
export function filesAt(facts: readonly Fact[], at: number, base: Scan, { checkpoints }: Place): FilesAt {
  const end = lookAfter(facts, at);
  const until = facts.filter(({ seq }) => seq <= end);
  const first = facts[0];
  const forked = first?.type === 'session.created' ? (first.parent?.seq ?? 0) : 0;
  const hidden = hiddenRanges(fold(until).undo, 'files');
  const manifest = new Map(base.manifest);
  const stretches = changesByRound(until, hidden, forked, {
    base: (path) => base.manifest.get(path) ?? null,
    manifest: (ref) => checkpoints.manifest(ref),
  });
  for (const { path, after } of stretches.flatMap(({ changes }) => changes)) {
    const known = manifest.get(path) ?? null;
    if (after === null) manifest.delete(path);
    else if (!same(known, after)) manifest.set(path, after.replace(/^\?/, '100644'));
  }
  return { manifest, exact: !commandSinceLook(until) };
}

/** A look at the workspace that came after the fact, but before anything else was started, tells of it too. */
function lookAfter(facts: readonly Fact[], at: number): number {
  for (const fact of facts) {
    if (fact.seq <= at) continue;
    if (fact.type === 'checkpoint.taken') return fact.seq;
    if (fact.type === 'workspace.rebased' || fact.type === 'undo.planned') return at;
    if (fact.type === 'attempt.start' && fact.effect !== 'read') return at;
  }
  return at;
}

function commandSinceLook(facts: readonly Fact[]): boolean {
  let open = false;
  for (const fact of facts) {
    if (fact.type === 'checkpoint.taken') open = false;
    if (fact.type === 'attempt.start' && fact.effect !== 'read' && fact.effect !== 'file') open = true;
  }
  return open;
}
