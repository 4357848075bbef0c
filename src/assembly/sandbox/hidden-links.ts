/**
 * Links at the top of a workspace that lead to where the sandbox shows nothing, such as `data` on another disk or the
 * `node_modules` of another checkout. A program finds them broken, and says only that something is missing.
 */
import path from 'node:path';
import { kindOf, namesIn, realOf } from './real-paths.ts';

export interface HiddenLink {
  readonly name: string;
  /** Real path, which is there. */
  readonly target: string;
}

const namesMax = 2_000;
const linksMax = 5;

export function hiddenLinks(workspace: string, hides: (place: string) => boolean): readonly HiddenLink[] {
  const found: HiddenLink[] = [];
  for (const name of namesIn(workspace).slice(0, namesMax)) {
    const at = path.join(workspace, name);
    const target = kindOf(at) === 'link' ? realOf(at) : null;
    if (target !== null && hides(target)) found.push({ name, target });
    if (found.length === linksMax) break;
  }
  return found;
}
