/** What of the workspace a word covers. */
import type { PermissionPorts } from '../contract.ts';
import { beforePattern, fullPath, normalPath, placeOf } from '../paths/place-of.ts';
import { compilePathGlob } from '../rules/path-glob.ts';
import type { ShellWord } from '../shell/shell-word.ts';

export interface Cover {
  /** Relative to the workspace: everything it covers is this or lies below it. */
  readonly top: string;
  covers(path: string): boolean;
}
/** Whose folders count: those in which a text may run, relative to the workspace. */
export interface Around {
  readonly folders: readonly string[];
  readonly workspace: string;
  readonly ports: PermissionPorts | null;
}

const whole: Cover = { top: '.', covers: () => true };

/** Empty where it leads out of the workspace. */
export async function coversOf(words: readonly ShellWord[] | null, around: Around): Promise<readonly Cover[]> {
  if (words === null) return [whole];
  const covers: Cover[] = [];
  for (const word of words) {
    for (const folder of around.folders) covers.push(...(await coversOfWord(word, folder, around)));
  }
  return covers;
}

async function coversOfWord(word: ShellWord, folder: string, around: Around): Promise<readonly Cover[]> {
  const { workspace, ports } = around;
  const home = ports?.home;
  const text = home === undefined ? word.text : word.text.replace(/^~(?=\/|$)/, home);
  if (word.kind === 'dynamic') return [whole];
  // Another home, or quotes in it, which patterns of paths do not know.
  if (word.kind === 'pattern' && /[~"'\\]/.test(text)) return [whole];
  const place = placeOf(text, folder, workspace);
  if (place === null) return isAround({ kind: word.kind, text }, folder, workspace) ? [whole] : [];
  if (word.kind === 'pattern') {
    const glob = compilePathGlob(`./${place}`);
    return [{ top: beforePattern(place), covers: glob.ok ? (path) => partsOf(path).some(glob.value) : () => true }];
  }
  const real = ports === null ? place : ((await ports.realPath(place)) ?? place);
  return [...new Set([place, real])].map(below);
}

const below = (top: string): Cover =>
  top === '.' ? whole : { top, covers: (path) => path === top || path.startsWith(`${top}/`) };

/** A path and the folders around it. */
const partsOf = (path: string): readonly string[] => {
  const segments = path.split('/');
  return segments.map((_segment, i) => segments.slice(0, i + 1).join('/'));
};

/** Whether a word means the workspace itself or a folder around it. */
export function isAround({ kind, text }: ShellWord, folder: string, workspace: string): boolean {
  const full = fullPath(text, folder, workspace);
  const root = normalPath(workspace);
  if (kind !== 'pattern') return full === '/' || `${root}/`.startsWith(`${full}/`);
  const glob = compilePathGlob(`.${full}`);
  return !glob.ok || partsOf(root.slice(1)).some(glob.value);
}
