import type { OpenAction } from './state.ts';

type Call = Pick<OpenAction, 'effect' | 'paths'>;

/**
 * Whether two calls may not run at the same time. Reads never disturb one another; a command (`process`, `opaque`)
 * disturbs everything but reads, because nobody knows what it touches; files conflict when they share a path.
 */
export function conflicts(a: Call, b: Call): boolean {
  if (a.effect === 'read' && b.effect === 'read') return false;
  if (isCommand(a) || isCommand(b)) return a.effect !== 'read' && b.effect !== 'read';
  if (a.paths === null || b.paths === null) return true;
  const touched = new Set(a.paths);
  return b.paths.some((path) => touched.has(path));
}

const isCommand = (call: Call): boolean => call.effect === 'process' || call.effect === 'opaque';
