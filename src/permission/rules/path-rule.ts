import { compilePathGlob } from './path-glob.ts';
import type { RuleSide } from './rule.ts';

export type PathRule =
  | {
      readonly ok: true;
      readonly matches: (path: string) => boolean;
      /** Whether it may match something below a folder, which is relative to the workspace. */
      readonly reaches: (folder: string) => boolean;
    }
  | { readonly ok: false; readonly error: string };

/**
 * The test of `Read(WHAT)`: `src/**` counts from the workspace, `~/x` from the home folder, `//x` from the root of the
 * machine. Rules that narrow count in any case of the letters, because some file systems do not tell them apart.
 */
export function compilePathRule(spec: string, { narrows, workspace = '', home }: RuleSide): PathRule {
  const from = spec.startsWith('~/') ? 'home' : spec.startsWith('//') ? 'root' : 'workspace';
  if (from === 'workspace' && spec.startsWith('~')) {
    return { ok: false, error: 'only the own home folder can be named: ~/' };
  }
  const glob = compilePathGlob(from === 'workspace' ? spec : spec.slice(1), { anyCase: narrows });
  if (!glob.ok) return glob;
  const { value: fits } = glob;
  const reaches = reachOf(from === 'workspace' ? spec : spec.slice(1));
  if (from === 'workspace') return { ok: true, matches: (path) => isInside(path) && fits(path), reaches };
  const root = from === 'root' ? '' : home;
  const below = (full: string): string | null =>
    root !== undefined && full.startsWith(`${root}/`) ? full.slice(root.length + 1) : null;
  return {
    ok: true,
    matches(path) {
      if (path.startsWith('~/'))
        return from === 'home' ? fits(path.slice(2)) : fits(`${home}/${path.slice(2)}`.slice(1));
      const rest = below(path.startsWith('/') ? path : `${workspace}/${path}`);
      return rest !== null && fits(rest);
    },
    reaches(folder) {
      const rest = below(`${workspace}/${folder}`);
      return rest !== null && reaches(rest);
    },
  };
}

/** By the segments before the first one with a pattern; letters of another case count as the same. */
function reachOf(pattern: string): (folder: string) => boolean {
  if (!pattern.slice(0, -1).includes('/')) return () => true;
  const segments = segmentsOf(pattern);
  const open = segments.findIndex((segment) => /[*?[{\\]/.test(segment));
  const start = segments.slice(0, open < 0 ? undefined : open);
  return (folder) => {
    const at = segmentsOf(folder);
    return start.every((segment, i) => at[i] === undefined || at[i] === segment);
  };
}

const segmentsOf = (path: string): readonly string[] =>
  path
    .toLowerCase()
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.');

/** Full and climbing paths are outside the workspace. */
export const isInside = (path: string): boolean =>
  !path.startsWith('/') && !path.startsWith('~') && path !== '..' && !path.startsWith('../');
