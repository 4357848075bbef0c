import type { Fact } from '#kernel';
import type { Ledger } from '#ledger';
import type { Checkpoints } from '#workspace';

/**
 * Ignored files that were kept before a command that could take them away, where the command was started and nobody
 * has looked at them since.
 */
export function waitingPaths(
  ledger: Pick<Ledger, 'find'>,
  checkpoints: Pick<Checkpoints, 'manifest'>,
): readonly string[] {
  const kept = [...ledger.find(['checkpoint.taken'])].findLast((fact) => fact.guarded !== undefined);
  if (kept?.guarded === undefined) return [];
  for (const { effect } of ledger.find(['attempt.start'], kept.seq)) {
    if (effect !== 'read' && effect !== 'file') return [...(checkpoints.manifest(kept.guarded)?.keys() ?? [])];
  }
  return [];
}

/** Every ignored file that was ever kept: no scan tells of it, so none may be taken for a part of the tree. */
export function everGuarded(facts: Iterable<Fact>, checkpoints: Pick<Checkpoints, 'manifest'>): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const fact of facts) {
    if (fact.type !== 'checkpoint.taken' || fact.guarded === undefined) continue;
    for (const path of checkpoints.manifest(fact.guarded)?.keys() ?? []) paths.add(path);
  }
  return paths;
}

/**
 * Paths that edits of earlier runs changed and that may be ignored ones: those that no point has looked at yet, and of
 * the ignored files at the last look those that the model has seen.
 */
export function writtenEarlier(
  ledger: Pick<Ledger, 'find'>,
  checkpoints: Pick<Checkpoints, 'manifest'>,
  seen: readonly { readonly path: string }[],
): ReadonlySet<string> {
  const points = [...ledger.find(['checkpoint.taken'])];
  const ref = points.findLast((fact) => fact.guarded !== undefined)?.guarded;
  const looked = ref === undefined ? null : checkpoints.manifest(ref);
  const paths = new Set(seen.map(({ path }) => path).filter((path) => looked?.has(path) === true));
  for (const { files = [] } of ledger.find(['attempt.outcome'], points.at(-1)?.seq)) {
    for (const { path } of files) paths.add(path);
  }
  return paths;
}
