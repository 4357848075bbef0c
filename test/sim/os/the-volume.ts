import type { Volume } from './volume.ts';

let volume: Volume | null = null;

/** The disk of the run that is under way. */
export function theVolume(): Volume {
  if (volume === null) throw new Error('no simulation is running');
  return volume;
}

export function setVolume(next: Volume | null): void {
  volume = next;
}
