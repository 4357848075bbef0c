/** What a question to a person shows of the workspace: the paths that differ since the attempt in question began. */
import type { OpenAction } from '#kernel';
import type { Batch, Settler } from '../run.ts';
import { scanFact } from './end.ts';

/** Paths named in one question. */
const NAMED_MAX = 20;

/** Lines for the evidence; none where there is no workspace, or it could not be looked at. Records the look. */
export async function* whatChanged(run: Settler, action: OpenAction): AsyncGenerator<Batch, readonly string[], void> {
  const { world, ledger } = run.ports;
  if (world === null || action.attempt === null) return [];
  const scan = await world.scan(run.state(), run.signal).catch(() => null);
  if (scan === null) return [];
  const looks = ['workspace.scanned', 'workspace.rebased'] as const;
  const earlier = [...ledger.find(looks, action.attempt.seq)].flatMap(({ changed = [] }) => changed);
  if (scan.tree !== run.state().world.tree) yield { facts: [scanFact('round', scan)] };
  const paths = [...new Set([...earlier, ...scan.changed])].sort();
  if (paths.length === 0) return ['No file of the workspace changed since it began, as far as looks tell.'];
  const more = paths.length > NAMED_MAX ? [`  and ${paths.length - NAMED_MAX} more`] : [];
  const named = paths.slice(0, NAMED_MAX).map((path) => `  ${path}`);
  return ['Changed in the workspace since the last look before it, by it or by others:', ...named, ...more];
}
