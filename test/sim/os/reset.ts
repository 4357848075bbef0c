/** A fresh machine for a run, and its end. */
import { setWorld, type World } from '../world.ts';
import { resetRunning } from './child-process.ts';
import { resetDescriptors } from './fs.ts';
import { type Machine, setMachine } from './machine.ts';
import { resetTasks } from './process-table.ts';
import { resetLocks } from './sqlite.ts';
import { setVolume } from './the-volume.ts';
import type { Volume } from './volume.ts';

export function begin(machine: Machine, volume: Volume, world: World): void {
  setMachine(machine);
  setVolume(volume);
  setWorld(world);
  resetDescriptors();
  resetLocks();
  resetTasks();
  resetRunning();
}

export function end(): void {
  setMachine(null);
  setVolume(null);
  setWorld(null);
}
