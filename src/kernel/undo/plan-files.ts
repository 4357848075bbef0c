/** Which files an undo brings back, and from what. Pure; the present world is told by the last checkpoint. */
import type { LeftAlone } from '../facts.ts';
import { type Change, type Side, type Stretch, same } from './changes-by-round.ts';

export interface FilePlan {
  /** Request of the first round undone. Earlier than asked for where rounds can only be undone together. */
  readonly round: number;
  readonly changes: readonly Change[];
  readonly refused: readonly LeftAlone[];
  /** Some of it is known only by looks before and behind commands. */
  readonly isByLooks: boolean;
}

/** Request of the last round that changed a file; null where none did. `apart`: paths that do not count. */
export function lastChange(stretches: readonly Stretch[], apart: ReadonlySet<string>): number | null {
  const last = stretches.findLast(
    ({ by, changes }) => by === 'belay' && changes.some((change) => !apart.has(change.path)),
  );
  return last?.since ?? null;
}

/** `changes` lead from the present side to the side before `round`. What somebody else changed since stays as it is. */
export function planFiles(stretches: readonly Stretch[], round: number, apart: ReadonlySet<string>): FilePlan {
  const from = earliestShared(stretches, round);
  const found = new Map<string, { before: Side; after: Side; why: string | null }>();
  for (const stretch of stretches) {
    // What others did before our first change is what we found: it is what an undo leads back to.
    const counts = stretch.by === 'belay' ? stretch.round >= from : stretch.seq >= from;
    if (!counts) continue;
    for (const { path, before, after, isOlder, isLater } of stretch.changes) {
      if (apart.has(path)) continue;
      const known = found.get(path);
      if (stretch.by === 'belay') {
        const why = isOlder === true ? OLDER : isLater === true ? LATER : null;
        if (known === undefined) found.set(path, { before, after, why });
        else {
          known.after = after;
          known.why ??= why;
        }
      } else if (known !== undefined) {
        known.after = after;
        known.why ??= MIXED;
      }
    }
  }
  const moved = [...found].filter(([, { before, after }]) => !same(before, after));
  return {
    round: from,
    changes: moved
      .filter(([, { why }]) => why === null)
      .map(([path, { before, after }]) => ({ path, before: after, after: before })),
    isByLooks: stretches.some((one) => one.by === 'belay' && one.isLook === true && one.round >= from),
    refused: moved.flatMap(([path, { why }]) => (why === null ? [] : [{ path, why }])),
  };
}

const MIXED = 'somebody else changed it after Belay did';
const LATER = 'somebody else changed it when no command was at work; what a command did to it before is not known';
const OLDER = 'it is older than the command, ignored or under another name before; what was there then is not known';

/** A difference that several rounds share can only be undone as a whole. */
function earliestShared(stretches: readonly Stretch[], round: number): number {
  let from = round;
  for (const { by, round: last, since } of stretches.toReversed()) {
    if (by === 'belay' && last >= from && since < from) from = since;
  }
  return from;
}
