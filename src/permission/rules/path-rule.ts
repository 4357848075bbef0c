import { compilePathGlob, type PathGlob } from './path-glob.ts';
import type { RuleSide } from './rule.ts';

/**
 * The test of `Read(WHAT)`: `src/**` counts from the workspace, `~/x` from the home folder, `//x` from the root of the
 * machine. Rules that narrow count in any case of the letters, because some file systems do not tell them apart.
 */
export function compilePathRule(spec: string, { narrows, workspace, home }: RuleSide): PathGlob {
  const from = spec.startsWith('~/') ? 'home' : spec.startsWith('//') ? 'root' : 'workspace';
  if (from === 'workspace' && spec.startsWith('~')) {
    return { ok: false, error: 'only the own home folder can be named: ~/' };
  }
  const glob = compilePathGlob(from === 'workspace' ? spec : spec.slice(1), { anyCase: narrows });
  if (!glob.ok) return glob;
  const { value: fits } = glob;
  if (from === 'workspace') return { ok: true, value: (path) => isInside(path) && fits(path) };
  const root = from === 'root' ? '' : home;
  return {
    ok: true,
    value: (path) => {
      if (path.startsWith('~/'))
        return from === 'home' ? fits(path.slice(2)) : fits(`${home}/${path.slice(2)}`.slice(1));
      const full = path.startsWith('/') ? path : `${workspace ?? ''}/${path}`;
      return root !== undefined && full.startsWith(`${root}/`) && fits(full.slice(root.length + 1));
    },
  };
}

/** Full and climbing paths are outside the workspace. */
export const isInside = (path: string): boolean =>
  !path.startsWith('/') && !path.startsWith('~') && path !== '..' && !path.startsWith('../');
