/** Clocks, timers, randomness and signals of this JavaScript realm, as the simulated machine has them. */

import { type Event, theMachine } from './machine.ts';
import { sendSignal } from './process-table.ts';

/** Replaces them and returns the way back. */
export function takeGlobals(): () => void {
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    setInterval: globalThis.setInterval,
    clearInterval: globalThis.clearInterval,
    setImmediate: globalThis.setImmediate,
  };
  const realMath = Math.random;
  const realDate = Date.now;
  const realPerformance = performance.now;
  const realValues = crypto.getRandomValues;
  const realKill = process.kill;
  const timer =
    (again: boolean) =>
    <Args extends readonly unknown[]>(run: (...args: Args) => void, ms = 0, ...args: Args) => {
      const handle = { event: null as Event | null, unref: () => handle, ref: () => handle };
      const set = (): void => {
        handle.event = theMachine().after(Math.max(1, ms), () => {
          if (again) set();
          run(...args);
        });
      };
      set();
      return handle;
    };
  const clear = (handle: { event: Event | null } | undefined) => {
    if (handle?.event) handle.event.cancelled = true;
  };
  Object.assign(globalThis, {
    setTimeout: timer(false),
    setInterval: timer(true),
    clearTimeout: clear,
    clearInterval: clear,
    setImmediate: <Args extends readonly unknown[]>(run: (...args: Args) => void, ...args: Args) =>
      timer(false)(run, 0, ...args),
  });
  Math.random = () => theMachine().random.next();
  Date.now = () => Math.floor(theMachine().nowMs);
  performance.now = () => theMachine().nowMs;
  crypto.getRandomValues = ((bytes: Uint8Array) => {
    theMachine().random.fill(bytes);
    return bytes;
  }) as typeof crypto.getRandomValues;
  process.kill = sendSignal as typeof process.kill;
  return () => {
    Object.assign(globalThis, real);
    Math.random = realMath;
    Date.now = realDate;
    performance.now = realPerformance;
    crypto.getRandomValues = realValues;
    process.kill = realKill;
  };
}
