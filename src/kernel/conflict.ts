import type { OpenAction } from './state.ts';

type Call = Pick<OpenAction, 'effect' | 'paths'>;

/**
 * Whether two calls may not run at the same time, so that the later one waits. Reads never disturb one another; a
 * command (`process`, `opaque`) may touch anything, so everything keeps its place before and behind it; others conflict
 * where one touches a path of the other, or a folder around it.
 */
export function conflicts(a: Call, b: Call): boolean {
  if (a.effect === 'read' && b.effect === 'read') return false;
  if (isCommand(a) || isCommand(b)) return true;
  const [mine, other] = [a.paths, b.paths];
  if (mine === null || other === null) return true;
  return mine.some((path) => other.some((one) => isAround(path, one) || isAround(one, path)));
}

const isCommand = (call: Call): boolean => call.effect === 'process' || call.effect === 'opaque';

const isAround = (folder: string, path: string): boolean =>
  folder === '.' || folder === path || path.startsWith(`${folder}/`);
