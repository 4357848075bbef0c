/**
 * What others changed while no run was attached.
 *
 * 1. Where the ledger tells how the workspace looked at the end of the last run, a difference is made by others. What
 *    edits changed since the last look is told by their receipts.
 * 2. After an effect of which only a look can tell (a command, a hook), a difference may be our own or somebody else's:
 *    it is told as just that.
 *    So it is while something of ours still runs that nobody follows.
 * 3. After a restart of the machine a difference is always told, because then nobody knows what of our own was lost.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BodyOf, FactOf, FactType, State } from '#kernel';
import type { Ledger } from '#ledger';
import { readRegular, type Scan, WRITE_ANEW } from '#workspace';
import type { World } from '../ports/world-port.ts';
import { leftAtWork } from './leftovers.ts';
import type { Place } from './open-workspace-at.ts';

/** Paths named in one fact; the model is told that there may be more. */
const changedMax = 50;
/** Paths named in one line for people. */
const namedMax = 8;
const fileName = 'last-scan.json';
const bytesMax = 256 * 1024 * 1024;

/** A workspace, and what was kept of it. */
type Kept = Pick<Place, 'workspace'> & Partial<Pick<Place, 'base' | 'checkpoints'>>;

export async function rebasedSince(
  state: State,
  ledger: Pick<Ledger, 'find'>,
  folder: string,
  place: Kept,
  world: World,
  rebooted = false,
  signal: AbortSignal = new AbortController().signal,
): Promise<Found | null> {
  const { revision: from, tree, isTreeKnown, products } = state.world;
  if (from === null || tree === null) return null;
  const now = await world.scan(state, signal);
  if (now.tree === tree) return null;
  const { revision } = place.workspace;
  const candidates = [await scanOfPoint(pointsOf(ledger), from, place), recall(folder)];
  const before = candidates.find((scan) => scan !== null && revision.tree(scan, products) === tree) ?? null;
  const last = world.last();
  const differing = before === null || last === null ? null : revision.changed(before, last);
  const isKnown = rebooted || isTreeKnown;
  const since = isKnown ? nothingSince : sinceLook(ledger, state);
  const changed = differing?.filter((one) => !isOwn(one, since.written, last));
  if (changed?.length === 0) return null;
  const named = (changed ?? []).slice(0, changedMax);
  const find: Pick<Ledger, 'find'>['find'] = (types, fromSeq) => ledger.find(types, fromSeq);
  const isAtWork = leftAtWork(place.workspace, { find, folder }, state).length > 0;
  // Nobody can tell whose these are.
  if (since.isMixed || isAtWork || (!isKnown && changed === undefined)) {
    return { type: 'workspace.scanned', revision: now.revision, tree: now.tree, at: 'resume', changed: named };
  }
  return { type: 'workspace.rebased', from, to: now.revision, tree: now.tree, changed: named };
}

/** A change of others, or one that may be theirs as well as our own. */
type Found = BodyOf<'workspace.rebased'> | BodyOf<'workspace.scanned'>;

/** What the user is told of it. */
export function changedNotice({ type, changed = [] }: Found): string {
  if (type === 'workspace.rebased') return 'the workspace was changed since the last run; the model is told';
  const more = changed.length > namedMax ? ` and ${changed.length - namedMax} more` : '';
  const names = changed.length === 0 ? '' : `: ${changed.slice(0, namedMax).join(', ')}${more}`;
  return `the last run was killed with something of it at work, so changes since its last look may be of others too${names}; the model is told`;
}

interface SinceLook {
  /** Something was at work of whose doing only a look can tell. */
  readonly isMixed: boolean;
  /** Content hash that the last edit of a path left; null where it removed it. */
  readonly written: ReadonlyMap<string, string | null>;
}
const nothingSince: SinceLook = { isMixed: false, written: new Map() };

function sinceLook(ledger: Pick<Ledger, 'find'>, { tasks, world }: State): SinceLook {
  let isMixed = false;
  const written = new Map<string, string | null>();
  for (const fact of ledger.find(effectsAndLooks)) {
    if (fact.type === 'attempt.start') isMixed ||= fact.effect !== 'read' && fact.effect !== 'file';
    else if (fact.type === 'attempt.outcome') {
      for (const { path: one, result } of fact.files ?? [])
        written.set(one, typeof result === 'string' ? result : null);
    } else if (isLook(fact.type)) {
      isMixed = false;
      written.clear();
    } else isMixed = true;
  }
  return { isMixed: isMixed || tasks.length > 0 || world.underWay.length > 0, written };
}

const looks = ['workspace.scanned', 'workspace.rebased', 'evidence.recorded', 'checkpoint.taken'] as const;
const effectsAndLooks = [
  ...looks,
  'attempt.start',
  'attempt.outcome',
  'hook.started',
  'hook.ended',
  'task.ended',
  'undo.done',
  'ledger.repaired',
] as const;
const isLook = (type: FactType): boolean => (looks as readonly FactType[]).includes(type);

/** Whether a file is as an edit of ours left it. A folder comes and goes with what is written in it. */
function isOwn(one: string, written: SinceLook['written'], now: Scan | null): boolean {
  if (one.endsWith('/')) return [...written.keys()].some((file) => file.startsWith(one));
  const side = now?.manifest.get(one);
  return written.has(one) && written.get(one) === (side === undefined ? null : side.slice(side.indexOf(' ') + 1));
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
  await writeFile(path.join(folder, fileName), text, { mode: 0o600, flag: WRITE_ANEW }).catch(() => {});
}

function recall(folder: string): Scan | null {
  try {
    const { revision, manifest } = JSON.parse(
      readRegular(path.join(folder, fileName), bytesMax)?.toString('utf8') ?? 'null',
    );
    return { revision: String(revision), manifest: new Map(manifest) };
  } catch {
    return null;
  }
}
