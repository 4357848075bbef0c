import { changesByRound, type Fact, fold, hiddenRanges, type Points, same } from '#kernel';
import type { Scan } from '#workspace';
import type { Place } from '../open-workspace-at.ts';

export interface FilesAt {
  readonly manifest: ReadonlyMap<string, string>;
  /** Where a command ran at which nobody looked before fact `at`: the paths that may differ. Null: all are known. */
  readonly unsure: readonly string[] | null;
}

/**
 * The files as they were after fact `at`, as far as they are known: as the last look found them, with the edits since.
 * `lookNow` is asked where no later look tells what the commands since may have changed.
 */
export async function filesAt(
  facts: readonly Fact[],
  at: number,
  base: Scan,
  { checkpoints }: Place,
  lookNow: () => Promise<Scan>,
): Promise<FilesAt> {
  const points: Points = {
    base: (path) => base.manifest.get(path) ?? null,
    manifest: (ref) => checkpoints.manifest(ref),
  };
  const end = lookAfter(facts, at);
  const until = facts.filter(({ seq }) => seq <= end);
  const first = facts[0];
  const forked = first?.type === 'session.created' ? (first.parent?.seq ?? 0) : 0;
  const hidden = hiddenRanges(fold(until).undo, 'files');
  const manifest = new Map(base.manifest);
  for (const { path, after } of changesByRound(until, hidden, forked, points).flatMap(({ changes }) => changes)) {
    const known = manifest.get(path) ?? null;
    if (after === null) manifest.delete(path);
    else if (!same(known, after)) manifest.set(path, after.replace(/^\?/, '100644'));
  }
  if (!workedSinceLook(until, points)) return { manifest, unsure: null };
  const next = facts.find((fact) => fact.seq > end && isLook(fact, points));
  if (next === undefined) return { manifest, unsure: differing(manifest, (await lookNow()).manifest) };
  const later = facts.filter(({ seq }) => seq <= next.seq);
  // What receipts tell of a later edit was not so yet; all else may have been.
  const stretches = changesByRound(later, hidden, forked, points).filter(
    ({ seq, by }) => seq === next.seq || (seq > end && by === 'others'),
  );
  return { manifest, unsure: [...new Set(stretches.flatMap(({ changes }) => changes.map(({ path }) => path)))].sort() };
}

/** Paths that are not the same in two manifests, sorted. */
export function differing(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path)).sort();
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

const isLook = (fact: Fact, points: Points): boolean =>
  fact.type === 'checkpoint.taken' && points.manifest(fact.ref) !== null;

/** Whether something was at work, since the last look or still, of whose doing only a look tells. */
function workedSinceLook(facts: readonly Fact[], points: Points): boolean {
  let worked = false;
  const inBackground = new Set<string>();
  for (const fact of facts) {
    if (fact.type === 'task.started') inBackground.add(fact.actionId);
    if (fact.type === 'task.ended') inBackground.delete(fact.actionId);
    if (isLook(fact, points)) worked = inBackground.size > 0;
    const isCommand = fact.type === 'attempt.start' && fact.effect !== 'read' && fact.effect !== 'file';
    // A lost fact may have told of any of these.
    if (isCommand || fact.type === 'hook.started' || fact.type === 'record.lost') worked = true;
  }
  return worked;
}
