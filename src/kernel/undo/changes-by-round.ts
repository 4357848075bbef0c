/**
 * What each round did to the files, as far as the ledger knows it.
 *
 * 1. A write through a file tool is known exactly, by its receipt.
 * 2. What a command did is the difference between two checkpoints. Rounds whose look was dropped share the next one.
 * 3. A difference that no command of ours lies before was made by somebody else.
 * 4. Of files that no scan tells of (ignored ones) only receipts and looks at exactly them tell. The first look at one
 *    tells of no change, and one that a scan begins or ceases to tell of has not changed by that.
 * 5. What was left as it is before the commands of a stretch started was made by somebody else.
 * 6. What was changed when no command was at work is somebody else's, and what a command did to it before is not known.
 * 7. A look that a hidden round took before its first effect shows what the rounds before it left, so it counts.
 */
import type { Fact, Json } from '../facts.ts';
import { isHidden, type Range } from './hidden.ts';

/** `mode hash` as a scan tells it, the mode `?` where it is not known; null where there is nothing. */
export type Side = string | null;

export interface Change {
  readonly path: string;
  readonly before: Side;
  readonly after: Side;
  /** The file is older than the commands that it is ascribed to, and no look before them told of it. */
  readonly isOlder?: boolean;
  /** Somebody changed it once more when none of those commands was at work. */
  readonly isLater?: boolean;
}
export interface Stretch {
  /** Number of the fact that told of it. */
  readonly seq: number;
  /** Request of the last round that it may belong to, and of the first one. */
  readonly round: number;
  readonly since: number;
  readonly by: 'belay' | 'others';
  readonly changes: readonly Change[];
  /** Told by looks, not by receipts. */
  readonly isLook?: boolean;
}

/** The kept manifests. Paths that a manifest does not name are as in the base. */
export interface Points {
  base(path: string): Side;
  /** Null where it is not kept any more. */
  manifest(ref: string): ReadonlyMap<string, Side> | null;
}

/** `hidden`: ranges that do not count. `after`: facts up to this one belong to another workspace or session. */
export function changesByRound(
  facts: readonly Fact[],
  hidden: readonly Range[],
  after: number,
  points: Points,
): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let known = new Map<string, Side>();
  /** Paths that receipts named since the last point. */
  const written = new Set<string>();
  /** Files that no scan tells of, as the last look at them or the last receipt has them. */
  const guarded = new Map<string, Side>();
  const ignored = everIgnored(facts, points);
  let request = 0;
  let round = 0;
  /** First and last round with a command since the last checkpoint. */
  let unseen: { readonly first: number; readonly last: number } | null = null;
  const unseenNow = () => ({ first: unseen?.first ?? round, last: round });
  const tell = (seq: number, changes: readonly Change[], isTheirs = unseen === null, isLook = false): void => {
    if (changes.length === 0) return;
    const rounds = { round: unseen?.last ?? round, since: unseen?.first ?? round };
    const look = isLook ? { isLook } : {};
    stretches.push({ seq, ...rounds, by: isTheirs ? 'others' : 'belay', changes, ...look });
  };
  /** Whether something that is hidden may have changed files since the last fact that counts. */
  let isMoved = false;
  const sideIn = (manifest: ReadonlyMap<string, Side>, path: string): Side =>
    manifest.get(path) ?? (manifest.has(path) ? null : points.base(path));
  const sideOf = (path: string): Side => sideIn(known, path) ?? guarded.get(path) ?? null;
  for (const fact of facts) {
    if (isHidden(hidden, fact.seq)) {
      isMoved ||= fact.type === 'undo.planned' || (fact.type === 'attempt.start' && fact.effect !== 'read');
      if (isMoved || fact.type !== 'checkpoint.taken' || points.manifest(fact.ref) === null) continue;
    } else isMoved = false;
    if (fact.type === 'model.request') request = fact.seq;
    if (fact.type === 'model.response') round = request;
    if (fact.seq <= after) continue;
    if (fact.type === 'attempt.start' && fact.effect !== 'read' && fact.effect !== 'file') unseen = unseenNow();
    if (fact.type === 'attempt.outcome' && fact.files !== undefined) {
      const changes: Change[] = [];
      const found: Change[] = [];
      const there: Change[] = [];
      for (const { path, base, result } of fact.files) {
        const expected = sideOf(path);
        const before = sideFor(base, expected);
        const after = sideFor(result, before);
        if (!same(expected, before)) {
          // A content that nobody told of lay there: it came between the last look and this write, or was ignored.
          (expected === null && ignored.has(path) ? there : found).push({ path, before: expected, after: before });
        }
        if (!same(before, after)) changes.push({ path, before, after });
        known.set(path, after);
        written.add(path);
        if (guarded.has(path)) guarded.set(path, after);
      }
      tell(fact.seq, there, true);
      tell(fact.seq, found);
      if (changes.length > 0) stretches.push({ seq: fact.seq, round, since: round, by: 'belay', changes });
    }
    if (fact.type === 'checkpoint.taken') {
      const next = points.manifest(fact.ref);
      if (next === null) {
        // A point that was pruned cannot be told apart any more: what lies on both its sides belongs together.
        unseen = unseenNow();
        continue;
      }
      const looked = manifestOf(points, fact.guarded);
      const foreign = manifestOf(points, fact.foreign);
      const changes: Change[] = [];
      const theirs: Change[] = [];
      for (const path of [...new Set([...known.keys(), ...next.keys(), ...looked.keys(), ...guarded.keys()])].sort()) {
        const before = sideOf(path);
        const scanned = sideIn(next, path);
        const now = scanned ?? (looked.has(path) ? looked.get(path) : guarded.get(path)) ?? null;
        const isKnown = before !== null || scanned !== null || guarded.has(path) || written.has(path);
        if (scanned !== null) guarded.delete(path);
        else if (looked.has(path)) guarded.set(path, now);
        if (!isKnown || same(before, now)) continue;
        const change = { path, before, after: now };
        const whose = foreign.get(path);
        if (whose === 'others') theirs.push(change);
        else if (whose === 'later') changes.push({ ...change, isLater: true });
        else changes.push(before === null && whose === 'older' ? { ...change, isOlder: true } : change);
      }
      tell(fact.seq, theirs, true);
      tell(fact.seq, changes, unseen === null, true);
      known = new Map(next);
      written.clear();
      unseen = null;
    }
  }
  return stretches;
}

const NOTHING: ReadonlyMap<string, Side> = new Map();

const manifestOf = (points: Points, ref: string | undefined): ReadonlyMap<string, Side> =>
  ref === undefined ? NOTHING : (points.manifest(ref) ?? NOTHING);

/** Paths at which a look found something of which the scan at the same time did not tell. */
function everIgnored(facts: readonly Fact[], points: Points): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const fact of facts) {
    if (fact.type !== 'checkpoint.taken' || fact.guarded === undefined) continue;
    const next = manifestOf(points, fact.ref);
    for (const [path, side] of manifestOf(points, fact.guarded)) {
      const scanned = next.has(path) ? (next.get(path) ?? null) : points.base(path);
      if (side !== null && scanned === null) paths.add(path);
    }
  }
  return paths;
}

/** Whether two sides are the same file; a mode that is not known fits every mode. */
export function same(a: Side, b: Side): boolean {
  if (a === null || b === null || a === b) return a === b;
  const [modeA, hashA] = split(a);
  const [modeB, hashB] = split(b);
  return hashA === hashB && (modeA === '?' || modeB === '?' || modeA === modeB);
}

function split(side: string): readonly [mode: string, hash: string] {
  const at = side.indexOf(' ');
  return [side.slice(0, at), side.slice(at + 1)];
}

/** A receipt names the content only; a file tool keeps the mode. */
function sideFor(hash: Json | undefined, known: Side): Side {
  if (typeof hash !== 'string') return null;
  return `${known === null ? '?' : split(known)[0]} ${hash}`;
}
