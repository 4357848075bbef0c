/**
 * What others changed while no run was attached. The comparison is made only where the ledger says how the workspace
 * looked when the last run ended: after an effect that nobody scanned, a difference may be our own. After a restart of
 * the machine it is always made, because then nobody knows what of our own was lost.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BodyOf, FactOf, State } from '#kernel';
import type { Ledger } from '#ledger';
import type { Scan } from '#workspace';
import type { World } from '../ports/world-port.ts';
import type { Place } from './open-workspace-at.ts';

/** Paths named in one fact; the model is told that there may be more. */
const changedMax = 50;
const fileName = 'last-scan.json';

/** A workspace, and what was kept of it. */
type Kept = Pick<Place, 'workspace'> & Partial<Pick<Place, 'base' | 'checkpoints'>>;

export async function rebasedSince(
  state: State,
  ledger: Pick<Ledger, 'find'>,
  folder: string,
  place: Kept,
  world: World,
  rebooted = false,
): Promise<BodyOf<'workspace.rebased'> | null> {
  const { revision: from, tree, isTreeKnown } = state.world;
  if (from === null || tree === null || !(rebooted || isTreeKnown)) return null;
  const now = await world.scan(state, new AbortController().signal);
  if (now.tree === tree) return null;
  const before = (await scanOfPoint(pointsOf(ledger), from, place)) ?? (await recall(folder));
  const last = world.last();
  const changed = before === null || last === null ? [] : place.workspace.revision.changed(before, last);
  return {
    type: 'workspace.rebased',
    from,
    to: now.revision,
    tree: now.tree,
    changed: changed.slice(0, changedMax),
  };
}

export const pointsOf = (ledger: Pick<Ledger, 'find'>) => [...ledger.find(['checkpoint.taken'])];

/** The workspace as the last point kept it, if that was at this revision; null where the point is not kept any more. */
export async function scanOfPoint(
  points: readonly FactOf<'checkpoint.taken'>[],
  revision: string,
  { workspace, base, checkpoints }: Kept,
): Promise<Scan | null> {
  const point = points.at(-1);
  if (point?.revision !== revision || workspace.revision.amend === undefined) return null;
  const start = (await base?.base()) ?? null;
  const differences = checkpoints?.manifest(point.ref) ?? null;
  return start === null || differences === null ? null : workspace.revision.amend(start, differences);
}

/** Keeps the manifest of a scan for the next opening. Losing it costs only the names of what changed. */
export async function rememberScan(folder: string, scan: Scan): Promise<void> {
  const text = JSON.stringify({ revision: scan.revision, manifest: [...scan.manifest] });
  await writeFile(path.join(folder, fileName), text, { mode: 0o600 }).catch(() => {});
}

async function recall(folder: string): Promise<Scan | null> {
  try {
    const { revision, manifest } = JSON.parse(await readFile(path.join(folder, fileName), 'utf8'));
    return { revision: String(revision), manifest: new Map(manifest) };
  } catch {
    return null;
  }
}
