import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { BodyOf } from '#kernel';
import type { WorldPort } from '#runtime';
import type { BaseStore, Checkpoints, Scan, SeenChange, Span, Workspace } from '#workspace';

export interface World extends WorldPort {
  /** The last scan of this process. */
  last(): Scan | null;
  /** Takes a scan for the last one: the workspace was seen to be so. */
  know(scan: Scan): void;
  /** Keeps the last scan, and these ignored files besides it; they are looked at once more at the next point. */
  keepWith?(ignored: readonly string[], signal: AbortSignal): Promise<BodyOf<'checkpoint.taken'> | null>;
  /** Whether the last look found these ignored files as they are, and no others: a command may start without another. */
  isKept?(ignored: readonly string[]): boolean;
}

/** What is needed to keep a scan as a point to go back to. */
export interface Points {
  readonly base: BaseStore;
  readonly checkpoints: Checkpoints;
  /** Ignored files that were kept before a command and have not been looked at since. */
  readonly guarded?: () => readonly string[];
  /** Paths that edits changed; those of them that no scan tells of are looked at with each point. */
  readonly written?: () => Iterable<string>;
  /** When commands were at work since the last point. */
  readonly effectsSince?: () => readonly Span[];
  /** False where nothing of ours is going to change the workspace, so that what it began with need not be kept. */
  readonly keepsStart?: boolean;
}

/** Scans of the workspace for the runtime. `changed` is what differs from the scan before. */
export function worldPort({ root, revision }: Workspace, first: Scan | null, points?: Points): World {
  let last = first;
  let start = first;
  /** The scan of the last point, as far as this process knows it. */
  let pointed = first;
  /** What the last look at ignored files found. */
  let looked: ReadonlyMap<string, string | null> | null = null;
  /** What it found there, of the paths of that look alone. */
  let lastLook: ReadonlyMap<string, string | null> | null = null;
  const world: World = {
    last: () => last,
    know(scan) {
      last = scan;
      pointed = scan;
    },
    async scan(state, signal) {
      const scan = await revision.scan(signal);
      const changed = last === null ? [] : revision.changed(last, scan);
      last = scan;
      // Nothing of ours was at work since the last point, so whatever is found now is what the next command finds.
      if (points?.effectsSince?.().length === 0) pointed ??= scan;
      return { revision: scan.revision, tree: revision.tree(scan, state.world.products), changed };
    },
  };
  if (points === undefined) return world;
  /** False once nothing that was kept waits for a second look. */
  let mayWait = points.guarded !== undefined;
  let isFoldersNoted = false;
  const point = async (extra: readonly string[], signal: AbortSignal) => {
    start ??= await points.base.base();
    if (last === null || start === null) return null;
    const [scan, before, { checkpoints }] = [last, pointed ?? start, points];
    if (points.keepsStart !== false) {
      await checkpoints.keepStart(scan, start, signal);
      if (!isFoldersNoted || extra.length > 0) checkpoints.noteFolders(scan);
      isFoldersNoted = true;
    }
    const { ref, uncovered } = await checkpoints.take(scan, start, signal);
    const waiting = mayWait ? (points.guarded?.() ?? []) : [];
    const changed = revision.changed(before, scan);
    const unlisted = [
      ...[...(points.written?.() ?? [])].filter((one) => !scan.manifest.has(one)),
      ...unlistedNow(root, changed, scan),
    ];
    mayWait = waiting.length + extra.length + unlisted.length > 0;
    const apart = mayWait
      ? await checkpoints.takeApart([...new Set([...waiting, ...extra, ...unlisted])], signal)
      : null;
    const now = apart === null ? null : checkpoints.manifest(apart.ref);
    const spans = points.effectsSince?.() ?? [];
    const foreign =
      spans.length === 0
        ? null
        : await checkpoints.tellApart(
            [...seen(changed, before.manifest, scan.manifest), ...seenApart(looked, now)],
            spans,
            before,
            looked?.values() ?? [],
          );
    const missing = [...uncovered, ...(apart?.uncovered ?? [])].slice(0, uncoveredMax);
    if (now !== null) looked = new Map([...(looked ?? []), ...now]);
    lastLook = now ?? lastLook;
    pointed = scan;
    return {
      type: 'checkpoint.taken' as const,
      revision: scan.revision,
      ref,
      ...(missing.length === 0 ? {} : { uncovered: missing }),
      ...(apart === null ? {} : { guarded: apart.ref }),
      ...(foreign === null ? {} : { foreign }),
    };
  };
  const isKept = (ignored: readonly string[]): boolean => {
    const there = [...(lastLook ?? [])].filter(([, side]) => side !== null);
    if (there.length !== ignored.length) return false;
    const now = points.checkpoints.look(ignored);
    return there.every(([path, side]) => now.get(path) === side);
  };
  return { ...world, checkpoint: (signal) => point([], signal), keepWith: point, isKept };
}

/** Paths named in one fact. */
const uncoveredMax = 20;

type Sides = ReadonlyMap<string, string | null>;

const seen = (paths: readonly string[], before: Sides, now: Sides): readonly SeenChange[] =>
  paths.map((one) => ({ path: one, before: before.get(one) ?? null, now: now.get(one) ?? null }));

/** What was not looked at before may be what it was. */
const seenApart = (before: Sides | null, now: Sides | null): readonly SeenChange[] =>
  [...(now ?? [])].flatMap(([one, side]) => (before?.get(one) === side ? [] : [{ path: one, now: side }]));

/** Files that scans do not tell of any more though they are there: a rule ignores them by now. */
function unlistedNow(root: string, changed: readonly string[], scan: Scan): readonly string[] {
  const gone = changed.filter((one) => !scan.manifest.has(one) && !one.endsWith('/')).slice(0, unlistedMax);
  return gone.filter((one) => isFile(path.join(root, one)));
}

function isFile(file: string): boolean {
  try {
    return lstatSync(file).isFile();
  } catch {
    return false;
  }
}

/** Paths looked at for that. */
const unlistedMax = 5000;
