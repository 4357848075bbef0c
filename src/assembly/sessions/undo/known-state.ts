/**
 * Whether an undo must look at the whole workspace first.
 *
 * 1. It need not where a look lies behind everything that a run of ours did, in this boot, and was kept as a point.
 * 2. Then only the paths of the plan are looked at. Where one of them is otherwise, somebody else was here, and the whole
 *    workspace is looked at before anything is planned.
 * 3. What others changed beside the plan is found by the next run, which compares the whole workspace anyway.
 */
import { hiddenRanges, isHidden, type Restoration } from '#kernel';
import type { Scan } from '#workspace';
import { pointsOf, scanOfPoint } from '../rebase.ts';
import type { Desk } from './desk.ts';

/** The workspace as the last run left it; null where only a look can tell. */
export async function knownState(desk: Desk): Promise<Scan | null> {
  const { world, undo } = desk.state();
  const boot = [...desk.ledger.find(['executor.attached'])].at(-1)?.bootId;
  const points = pointsOf(desk.ledger);
  const point = points.at(-1);
  if (boot !== desk.bootId || point === undefined || world.revision === null) return null;
  if (isHidden(hiddenRanges(undo, 'files'), point.seq) || world.isPointDue || !world.isTreeKnown) return null;
  return scanOfPoint(points, world.revision, desk.place);
}

/** The workspace as the last point kept it; null where it is not kept any more. */
export async function lastPoint(desk: Desk): Promise<Scan | null> {
  const points = pointsOf(desk.ledger);
  return scanOfPoint(points, points.at(-1)?.revision ?? '', desk.place);
}

/** Whether every path of a plan is as it was. A path that cannot be looked at is not. */
export function isAsKnown(desk: Desk, known: Scan, files: readonly Restoration[]): boolean {
  try {
    return files.every(({ path }) => desk.restorer.look(path) === (known.manifest.get(path) ?? null));
  } catch {
    return false;
  }
}
