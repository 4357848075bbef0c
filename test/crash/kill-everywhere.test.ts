/**
 * The agent dies at a point, and `belay resume` in a new process comes to the same end, with each effect once.
 *
 * By default a seed chooses the points, so that the suite stays short; the seed is in the name of the test.
 * `BELAY_CRASH=all npx vitest run test/crash/kill-everywhere` tries every point there is, `BELAY_CRASH=<seed>` repeats a choice.
 */
import { describe, expect, test } from 'vitest';
import { seededPrng } from '#lib';
import { type Counts, type Cut, type CutKind, cutKinds } from './cut.ts';
import { killAll, killTwice, type Trial } from './kill-once.ts';
import { countPoints, makePlace, type PlaceOptions } from './scenario.ts';

const chosen = process.env['BELAY_CRASH'] ?? String(Date.now() % 1_000_000);
const isWhole = chosen === 'all';
/** Points of each kind in the short form, with and without a sandbox. */
const sample: { readonly [kind in CutKind]: number } = {
  append: 5,
  flush: 1,
  flushed: 1,
  disk: 7,
  spawned: 1,
  claimed: 1,
  running: 1,
  receipt: 1,
  shell: 1,
};

function cutsOf(counts: Counts): readonly Cut[] {
  const random = seededPrng(Number(chosen) || 0);
  return cutKinds.flatMap((at) => {
    const all = Array.from({ length: counts[at] }, (_, i): Cut => ({ at, n: i + 1 }));
    if (isWhole) return all;
    return Array.from({ length: Math.min(sample[at], all.length) }, () => {
      const [cut] = all.splice(random.below(all.length), 1);
      return cut as Cut;
    });
  });
}

async function counted(options: PlaceOptions): Promise<Counts> {
  const place = makePlace(options);
  try {
    return await countPoints(place);
  } finally {
    place.remove();
  }
}

const told = (trials: readonly Trial[]) => trials.filter(({ faults }) => faults.length > 0);

const kinds = process.platform === 'linux' ? [false, true] : [false];
describe.each(kinds.map((confined) => ({ confined, where: confined ? 'in the sandbox' : 'without a sandbox' })))(
  'commands run $where',
  ({ confined }) => {
    const options: PlaceOptions = { slowS: 0.15, confined };

    test(`killed at ${isWhole ? 'every point' : `points of seed ${chosen}`}, resumed: the same end, each effect once`, async () => {
      const cuts = cutsOf(await counted(options));
      const trials = await killAll(cuts, options);
      expect(told(trials)).toEqual([]);
      // The number of disk changes varies by a few, so that the last points may lie behind the end of a run.
      const missed = trials.filter(({ killed }) => !killed);
      expect(missed.filter(({ cut }) => cut.at !== 'disk')).toEqual([]);
      expect(missed.length).toBeLessThan(10);
      expect(trials.filter(({ begun }) => begun).length).toBeGreaterThan(cuts.length / 2);
    }, 1_800_000);

    test(`killed in the run and again in the resume, points of seed ${chosen}: the same end, each effect once`, async () => {
      const counts = await counted(options);
      const random = seededPrng((Number(chosen) || 0) + 1);
      const anyCut = (): Cut => {
        const at = cutKinds[random.below(cutKinds.length)] ?? 'append';
        return { at, n: 1 + random.below(counts[at]) };
      };
      const pairs = Array.from({ length: isWhole ? 75 : 4 }, () => [anyCut(), anyCut()] as const);
      const faults: string[] = [];
      const worker = async () => {
        for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
          faults.push(...(await killTwice(...pair, options)));
        }
      };
      await Promise.all([worker(), worker()]);
      expect(faults).toEqual([]);
    }, 1_800_000);
  },
);
