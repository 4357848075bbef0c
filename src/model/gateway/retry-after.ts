import type { HeaderList } from '../http/header-list.ts';

/**
 * How long a provider asks us to wait, in milliseconds: `retry-after-ms`, `retry-after` (seconds or an HTTP date), or
 * the `retryDelay` of Google's error details. Undefined where it says nothing that makes sense.
 */
export function retryAfterMs(headers: HeaderList, body: string, nowMs: number): number | undefined {
  const inMs = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (Number.isFinite(inMs) && inMs >= 0) return Math.ceil(inMs);
  const header = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000);
  const date = header === '' ? Number.NaN : Date.parse(header);
  if (Number.isFinite(date)) return Math.max(0, date - nowMs);
  const delay = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1];
  return delay === undefined ? undefined : Math.ceil(Number(delay) * 1000);
}
