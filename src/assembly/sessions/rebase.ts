/**
 * What others changed while no run was attached. The comparison is made only where the ledger says how the workspace
 * looked when the last run ended: after an effect that nobody scanned, a difference may be our own. After a restart of
 * the machine it is always made, because then nobody knows what of our own was lost.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BodyOf, Fact, State } from '#kernel';
import type { Ledger } from '#ledger';
import type { Scan } from '#workspace';
import type { World } from '../ports/world-port.ts';
import type { Place } from './open-workspace-at.ts';

/** Paths named in one fact; the model is told that there may be more. */
const changedMax = 50;
const fileName = 'last-scan.json';

/** Whether the tree of the last scan is that of the workspace after everything recorded. */
export function isTreeKnown(facts: Iterable<Fact>): boolean {
  let known = false;
  const effects = new Set<string>();
  const running = new Set<string>();
  for (const fact of facts) {
    switch (fact.type) {
      // What goes on in the background may change something at any time, also behind a scan.
      case 'task.started':
        running.add(fact.actionId);
        break;
      case 'task.ended':
        running.delete(fact.actionId);
        known = false;
        break;
      // What a hook changed is its own doing, and nobody else's.
      case 'hook.started':
      case 'hook.ended':
        known = false;
        break;
      case 'attempt.start':
        if (fact.effect !== 'read') {
          effects.add(fact.actionId);
          known = false;
        }
        break;
      case 'attempt.outcome':
        if (effects.has(fact.actionId)) known = false;
        break;
      case 'workspace.scanned':
      case 'workspace.rebased':
      case 'evidence.recorded':
        known = running.size === 0;
        break;
    }
  }
  return known;
}

/** Whether a command ran since the last point to go back to was kept. */
export function isPointDue(facts: Iterable<Fact>): boolean {
  let due = false;
  for (const fact of facts) {
    if (fact.type === 'checkpoint.taken') due = false;
    if (fact.type === 'attempt.start' && fact.effect !== 'read' && fact.effect !== 'file') due = true;
  }
  return due;
}

/** A workspace, and what was kept of it. */
type Kept = Pick<Place, 'workspace'> & Partial<Pick<Place, 'base' | 'checkpoints'>>;

export async function rebasedSince(
  state: State,
  ledger: Pick<Ledger, 'read'>,
  folder: string,
  place: Kept,
  world: World,
  rebooted = false,
): Promise<BodyOf<'workspace.rebased'> | null> {
  const { revision: from, tree } = state.world;
  if (from === null || tree === null || !(rebooted || isTreeKnown(ledger.read()))) return null;
  const now = await world.scan(state, new AbortController().signal);
  if (now.tree === tree) return null;
  const before = (await scanOfPoint([...ledger.read()], from, place)) ?? (await recall(folder));
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

/** The workspace as the last point kept it, if that was at this revision; null where the point is not kept any more. */
export async function scanOfPoint(
  facts: readonly Fact[],
  revision: string,
  { workspace, base, checkpoints }: Kept,
): Promise<Scan | null> {
  const point = facts.findLast((fact) => fact.type === 'checkpoint.taken');
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
