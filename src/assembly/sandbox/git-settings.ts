/** What the settings of a repository name inside the workspace: more settings, and the folder of its hooks. */
import path from 'node:path';
import { isBelow } from '#permission';
import { kindOf, realOf, textOf } from './real-paths.ts';

export interface NamedPlaces {
  /** What is there. */
  readonly present: readonly string[];
  /** What is not there, and would count as soon as it is. */
  readonly absent: readonly string[];
}

/** Settings that include more settings than this are followed no further. */
const filesMax = 100;

/**
 * `top` is the work tree, `folder` its git folder. Every `path` counts as an include, whatever section it stands in: to
 * keep one file too many from being written harms nobody.
 */
export function namedBySettings(top: string, folder: string, workspace: string, home: string | null): NamedPlaces {
  const present = new Set<string>();
  const absent = new Set<string>();
  const own = ['config', 'config.worktree'].map((name) => path.join(folder, name));
  // A relative folder of hooks in the user's settings counts from each work tree.
  const users = home === null ? [] : ['.gitconfig', '.config/git/config'].map((name) => path.join(home, name));
  const files = [...own, ...users];
  const note = (at: string): void => {
    const real = realOf(at);
    if (real === null) {
      if (isBelow(at, workspace) && kindOf(at) === null) absent.add(at);
    } else if (isBelow(real, workspace) && !isBelow(workspace, real)) present.add(real);
  };
  for (let i = 0; i < files.length && i < filesMax; i++) {
    const file = files[i] ?? '';
    const text = textOf(file) ?? '';
    for (const value of valuesOf('path', text)) {
      const at = path.resolve(path.dirname(file), fromHome(value, home));
      note(at);
      const real = realOf(at) ?? at;
      if (!files.includes(real)) files.push(real);
    }
    for (const value of valuesOf('hookspath', text)) note(path.resolve(top, fromHome(value, home)));
  }
  return { present: [...present].filter((at) => ['file', 'folder'].includes(kindOf(at) ?? '')), absent: [...absent] };
}

function valuesOf(name: string, text: string): readonly string[] {
  const line = new RegExp(`^[ \\t]*(?:\\[[^\\]\\n]*\\])?[ \\t]*${name}[ \\t]*=[ \\t]*(.*)$`, 'gim');
  return [...text.matchAll(line)].flatMap(([, raw = '']) => {
    const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(raw)?.[1]?.replace(/\\(.)/g, '$1');
    const value = quoted ?? raw.replace(/\s*[;#].*$/, '').trim();
    return value === '' || value.includes('\0') ? [] : [value];
  });
}

const fromHome = (value: string, home: string | null): string =>
  value.startsWith('~/') && home !== null ? path.join(home, value.slice(2)) : value;
