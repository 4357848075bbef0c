/** What a pattern of the shell would find now, for whoever must know which files a command is about to be given. */
import type { PermissionPorts } from '../contract.ts';
import { compilePathGlob } from '../rules/path-glob.ts';

export interface Matches {
  /** Relative to the workspace: as found, and where links lead. */
  readonly places: readonly string[];
  readonly asks: string | null;
}

/** Names of one folder that are looked at, and files that one pattern may find. */
const namesMax = 5000;
const foundMax = 1000;

/** `ways` are the spellings of the pattern `text` from the workspace. Nothing is found where no one can look. */
export async function findMatches(text: string, ways: readonly string[], ports: PermissionPorts): Promise<Matches> {
  const places = new Set<string>();
  const tooMany = { places: [], asks: `${text} finds more files than can be looked at` };
  for (const way of ways) {
    const found = await matchesOf(way, ports);
    if (found === null) return tooMany;
    for (const path of found) {
      const real = await ports.realPath(path);
      if (real === null)
        return { places: [...places], asks: `${path}, which ${text} finds, leads out of the workspace` };
      places.add(path).add(real);
    }
    if (places.size > foundMax * 2) return tooMany;
  }
  return { places: [...places], asks: null };
}

/** Null where there are too many. */
async function matchesOf(way: string, { entries }: PermissionPorts): Promise<readonly string[] | null> {
  if (entries === undefined) return [];
  const segments = way.split('/').filter((segment) => segment !== '' && segment !== '.');
  let found: readonly string[] = ['.'];
  for (const [i, segment] of segments.entries()) {
    const isLast = i === segments.length - 1;
    const fits = nameTest(segment);
    const next: string[] = [];
    for (const folder of found) {
      const below = (name: string): string => (folder === '.' ? name : `${folder}/${name}`);
      if (fits === null) {
        next.push(below(segment.replace(/\\(.)/gs, '$1')));
        continue;
      }
      const names = await entries(folder, namesMax);
      if (names.length >= namesMax) return null;
      for (const entry of names) {
        const name = entry.endsWith('/') ? entry.slice(0, -1) : entry;
        if (fits(name) && (isLast || entry !== name)) next.push(below(name));
      }
      if (next.length > foundMax) return null;
    }
    found = next;
  }
  return found;
}

/** Whether a name may be meant by a segment; null where the segment is a name itself. In doubt a name is meant. */
function nameTest(segment: string): ((name: string) => boolean) | null {
  const plain = segment.replace(/\\./gs, '');
  if (!/[*?[]/.test(plain)) return null;
  // What a set of characters holds differs between shells and languages, so it is taken for any one.
  const open = segment.replace(/(?<!\\)\[[!^]?[^[\]\\]+\]/g, '?').replace(/(?<!\\)\[.*/s, '*');
  const glob = compilePathGlob(open.replace(/\\?[{}]/g, '?'), { anyCase: true });
  const isHidden = (name: string): boolean => name.startsWith('.') && !plain.startsWith('.');
  return (name) => !isHidden(name) && (!glob.ok || glob.value(name));
}
