/** Timers of the simulated machine come in the order in which real ones come, and those that were cleared do not. */
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeGlobals } from './globals.ts';
import { Machine, setMachine } from './machine.ts';
import * as simulated from './timers-promises.ts';

interface Timer {
  /** Milliseconds. */
  readonly after: number;
  readonly by: 'callback' | 'promise';
  /** The number of the timer that this one clears when it comes. */
  readonly clears: number | null;
}

type Sleep = (ms: number) => Promise<unknown>;
const STEP_MS = 10;
const END_MS = 6 * STEP_MS;

/** Sets all timers at one instant, and resolves with the numbers of those that came, in their order; null: it took too long. */
function order(timers: readonly Timer[], sleep: Sleep): Promise<readonly number[] | null> {
  const came: number[] = [];
  const begun = performance.now();
  return new Promise((resolve) => {
    const handles = new Map<number, NodeJS.Timeout>();
    const comes = (n: number) => {
      came.push(n);
      clearTimeout(handles.get(timers[n]?.clears ?? -1));
    };
    timers.forEach(({ after, by }, n) => {
      if (by === 'callback') handles.set(n, setTimeout(comes, after, n));
      else void sleep(after).then(() => comes(n));
    });
    setTimeout(resolve, END_MS, performance.now() - begun < STEP_MS / 2 ? came : null);
  });
}

async function simulatedOrder(timers: readonly Timer[]): Promise<readonly number[]> {
  const machine = new Machine(14);
  setMachine(machine);
  const giveBack = takeGlobals();
  try {
    let came: readonly number[] | null = null;
    void order(timers, simulated.setTimeout).then((all) => {
      came = all;
    });
    await machine.runUntil(() => came !== null, 1_000);
    return came ?? [];
  } finally {
    giveBack();
    setMachine(null);
  }
}

test('timers that are set at one instant come in the same order', async () => {
  const timer = fc.record<Timer>({
    after: fc.nat(4).map((steps) => steps * STEP_MS),
    by: fc.constantFrom('callback', 'promise'),
    clears: fc.option(fc.nat(9)),
  });
  const programs = fc.sample(fc.array(timer, { maxLength: 10 }), { numRuns: 60, seed: 14 });
  const real = await Promise.all(programs.map((timers) => order(timers, sleep)));
  const set = programs.flatMap((timers, i) => (real[i] === null ? [] : [{ timers, came: real[i] }]));
  expect(set.length).toBeGreaterThan(0);
  for (const { timers, came } of set) expect(await simulatedOrder(timers)).toEqual(came);
});

test('an interval comes again until it is cleared', async () => {
  const machine = new Machine(15);
  const count = (): Promise<number> =>
    new Promise((resolve) => {
      let times = 0;
      const interval = setInterval(() => {
        if (++times !== 3) return;
        clearInterval(interval);
        setTimeout(() => resolve(times), 20);
      }, 2);
    });
  const real = await count();
  setMachine(machine);
  const giveBack = takeGlobals();
  let times = 0;
  try {
    void count().then((all) => {
      times = all;
    });
    await machine.runUntil(() => times > 0, 1_000);
  } finally {
    giveBack();
    setMachine(null);
  }
  expect([real, times]).toEqual([3, 3]);
});
