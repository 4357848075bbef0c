import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { entry } from '../../e2e/belay.ts';
import { effectNames } from './effects.ts';
import { runFrozen } from './frozen.ts';
import { killKinds } from './kill.ts';
import { plansOf } from './plans.ts';
import { apartText, faultText, rowsOf, sum, tableOf } from './report.ts';
import { runTrials } from './run-trials.ts';
import { runTrial } from './trial.ts';

const forgetful = fileURLToPath(new URL('./forgetful.ts', import.meta.url));

/** `npm run crash -- -n 200` is the long form. */
const seed = Number(process.env['BELAY_CRASH'] ?? Date.now() % 1_000_000) || 0;

test(`every kind of kill with every effect (seed ${seed}): nothing twice, nothing lost, nothing false, no needless question`, async () => {
  const trials = await runTrials(plansOf(seed, 32), entry, 2);
  expect(trials.filter(({ faults }) => faults.length > 0).map(faultText)).toEqual([]);
  const { duplicates, losses, falseReports, asked, hidden } = sum(trials);
  expect({ duplicates, losses, falseReports }).toEqual({ duplicates: 0, losses: 0, falseReports: 0 });
  expect(asked).toBe(hidden);
  expect(rowsOf(trials)).toHaveLength(32);
  expect(tableOf(trials).split('\n')).toHaveLength(trials.some(({ plan }) => plan.confined) ? 36 : 35);
}, 120_000);

test('an executor stopped before its claim does nothing when it is revived after it was revoked', async () => {
  expect(await runFrozen(entry, 1)).toMatchObject([
    { kind: 'a wrapper', trials: 1, faults: [] },
    { kind: 'a file editor', trials: 1, faults: [] },
  ]);
}, 60_000);

test('a Belay that forgets its claims is found out', async () => {
  const plan = {
    number: 0,
    effect: 'shell',
    kill: 'agent',
    point: { at: 'effect' },
    spare: [],
    confined: false,
    again: false,
    late: true,
  } as const;
  const { duplicates, faults } = await runTrial(plan, forgetful);
  expect({ duplicates, faults }).toMatchObject({ duplicates: 1 });
  expect(faults).toContain('the effect happened 2 times');
}, 30_000);

test('a run in which nobody is killed is drawn again, and stands in no row', async () => {
  const plan = {
    number: 0,
    effect: 'read',
    kill: 'agent',
    point: { at: 'fact', type: 'session.complete', n: 2 },
    confined: false,
    again: false,
    late: false,
  } as const;
  const never = await runTrial({ ...plan, spare: [] }, entry);
  expect(never).toMatchObject({ killed: false, drawnAgain: 0, faults: [] });
  expect(rowsOf([never])).toEqual([]);
  expect(sum([never])).toMatchObject({ trials: 0, resumeMs: null });
  const second = await runTrial({ ...plan, spare: [{ at: 'request', n: 1 }] }, entry);
  expect(second).toMatchObject({ killed: true, drawnAgain: 1, faults: [] });
  expect(rowsOf([never, second])).toMatchObject([{ trials: 1 }]);
  expect(apartText([never, second])).toBe(
    '1 times nobody was killed at the instant, and another one was drawn; 1 trials without a kill are not in the table',
  );
}, 30_000);

test.each([5, 20])('a run of %i trials reaches every kind of kill', (count) => {
  expect(new Set(plansOf(4242, count).map(({ kill }) => kill))).toEqual(new Set(killKinds));
});

test('the plans of a seed are the same again and reach every kind of kill and every effect', () => {
  const plans = plansOf(7, 200);
  expect(plansOf(7, 200)).toEqual(plans);
  expect(new Set(plans.map(({ kill }) => kill))).toEqual(new Set(killKinds));
  expect(new Set(plans.map(({ effect }) => effect))).toEqual(new Set(effectNames));
});
