/** What `node:timers/promises` is inside a simulation. */
import { theMachine } from './machine.ts';

export const setTimeout = (ms: number): Promise<void> => theMachine().wait(Math.max(1, ms));
export const setImmediate = (): Promise<void> => theMachine().wait(0);
