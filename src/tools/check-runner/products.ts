/**
 * What a check left behind. Paths that a check creates are its products (caches, coverage, reports): they stay in the
 * revision and out of the comparison. Any other path it changed is a change of the workspace, and the check must then
 * be run again to show that it comes to rest.
 */
import type { Scan } from '#workspace';

export interface Traces {
  /** Products that were not known before. */
  readonly products: readonly string[];
  /** Other paths that changed while the check ran. */
  readonly others: readonly string[];
}

/** `changed` are the paths that differ between the scans; `known` are the products so far. */
export function tracesOf(before: Scan, after: Scan, changed: readonly string[], known: ReadonlySet<string>): Traces {
  const products: string[] = [];
  const others: string[] = [];
  const created = changed.filter((path) => !before.manifest.has(path) && after.manifest.has(path));
  for (const path of changed) {
    if (known.has(path)) continue;
    // An empty folder is an entry of its own until the check puts something into it.
    const filled =
      !after.manifest.has(path) && created.some((inner) => inner.startsWith(`${path.replace(/\/$/, '')}/`));
    if (filled || (!before.manifest.has(path) && after.manifest.has(path))) products.push(path);
    else others.push(path);
  }
  return { products, others };
}

/**
 * Paths that two runs in a row changed and that git does not track: they behave like products, only older than this
 * session. Without a repository nothing is known to be untracked.
 */
export function recurringProducts(
  first: readonly string[],
  second: readonly string[],
  tracked: ReadonlySet<string> | null,
): readonly string[] {
  if (tracked === null) return [];
  return second.filter((path) => first.includes(path) && !tracked.has(path));
}
