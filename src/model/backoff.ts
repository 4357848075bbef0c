const BASE_MS = 1000;
const CAP_MS = 60_000;
/** A provider that asks for more than this is not waited for in one go. */
const RETRY_AFTER_CAP_MS = 10 * 60_000;

/**
 * How long to wait before the retry number `attempt` (from 1), in milliseconds. It doubles up to one minute; `random`
 * in [0, 1) takes up to half of it off, so that many agents do not come back together. What the provider asked for
 * is the least, up to ten minutes.
 */
export function backoffDelayMs(attempt: number, random: number, retryAfterMs?: number): number {
  const full = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(Math.max(attempt, 1) - 1, 30));
  const own = Math.round(full * (1 - random / 2));
  return retryAfterMs === undefined ? own : Math.max(own, Math.min(retryAfterMs, RETRY_AFTER_CAP_MS));
}
