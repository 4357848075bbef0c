import { afterAll, beforeAll } from 'vitest';
import { Machine } from './os/machine.ts';
import { begin, end } from './os/reset.ts';
import { Volume } from './os/volume.ts';
import { World } from './world.ts';

/** A simulated machine whose time goes on by itself, for tests that use its parts one by one. */
export function runningMachine(seed: number): {
  readonly machine: Machine;
  readonly volume: Volume;
  readonly world: World;
} {
  const machine = new Machine(seed);
  const volume = new Volume(() => Math.floor(machine.nowMs));
  const world = new World();
  let over = false;
  beforeAll(() => {
    begin(machine, volume, world);
    const tick = (): void => void machine.after(1, tick, null);
    tick();
    void machine.runUntil(() => over, Number.POSITIVE_INFINITY);
  });
  afterAll(() => {
    over = true;
    end();
  });
  return { machine, volume, world };
}
