/** What `node:crypto` is inside a simulation: the same hashes, and randomness from the seed. */
import { theMachine } from './machine.ts';

export * from 'node:crypto';

export function randomFillSync<T extends Uint8Array>(bytes: T): T {
  theMachine().random.fill(bytes);
  return bytes;
}
