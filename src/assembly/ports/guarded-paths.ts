import type { Fact } from '#kernel';
import type { Checkpoints } from '#workspace';

/**
 * Ignored files that were kept before a command that could take them away, where the command was started and nobody
 * has looked at them since.
 */
export function waitingPaths(facts: Iterable<Fact>, checkpoints: Pick<Checkpoints, 'manifest'>): readonly string[] {
  let ref: string | null = null;
  let isDue = false;
  for (const fact of facts) {
    if (fact.type === 'checkpoint.taken' && fact.guarded !== undefined) {
      ref = fact.guarded;
      isDue = false;
    }
    if (fact.type === 'attempt.start' && fact.effect !== 'read' && fact.effect !== 'file') isDue = true;
  }
  return ref === null || !isDue ? [] : [...(checkpoints.manifest(ref)?.keys() ?? [])];
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
