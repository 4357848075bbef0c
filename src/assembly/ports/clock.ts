import { backoffDelayMs } from '#model';
import type { Clock } from '#runtime';

/** Real time. Waiting ends at once when the signal aborts. */
export const realClock: Clock = {
  sleep: (durationMs, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, durationMs);
      signal.addEventListener('abort', done, { once: true });
    }),
  backoffMs: (failures, retryAfterMs) => backoffDelayMs(failures, Math.random(), retryAfterMs ?? undefined),
};
