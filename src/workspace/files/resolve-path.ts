/**
 * Turns the text a model wrote into a path inside the workspace, or into a problem.
 *
 * 1. Only the real path counts: `..`, absolute texts and links are followed first, then compared with the root.
 * 2. Of a path that does not exist, the nearest existing ancestor must be inside; a dangling link counts as its target.
 * 3. A sibling of the root with the same prefix is outside.
 */
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { PathProblem, ResolvedPath } from '../contract.ts';
import { errorCode, isMissing } from '../error-code.ts';

/** As many links as the kernel follows. */
const LINKS_MAX = 40;

export type Resolve = (text: string) => ResolvedPath | PathProblem;

export const isProblem = (value: object): value is PathProblem => 'code' in value && 'message' in value;

/** `root` must be a real path; `protectedPaths` need not exist. */
export function pathResolver(root: string, protectedPaths: readonly string[]): Resolve {
  return (text) => {
    if (text.includes('\0')) return problem('invalid', 'A path cannot contain a NUL byte.');
    if (text === '~' || text.startsWith('~/')) {
      return problem('outside', `${text}: "~" is not expanded. Give a path inside the workspace ${root}.`);
    }
    let absolute: string;
    try {
      absolute = realPathOfMissing(resolve(root, text));
    } catch (error) {
      return unreachable(text, error);
    }
    if (!isInside(root, absolute)) {
      return problem('outside', `${text} is outside the workspace ${root}.`);
    }
    for (const path of protectedPaths) {
      if (isInside(realPathOfProtected(path), absolute)) {
        return problem('protected', `${text} belongs to Belay's own data and is not for tools.`);
      }
    }
    const kind = kindOf(absolute);
    if (/[^/]\/+$/.test(text) && kind !== 'directory') {
      return problem(kind === 'file' ? 'invalid' : 'missing', `${text} is not a folder.`);
    }
    const inside = relative(root, absolute).split(sep).join('/') || '.';
    // A name that looks like a home folder keeps a spelling that means the same when it is asked again.
    const path = inside === '~' || inside.startsWith('~/') ? `./${inside}` : inside;
    return { path, absolute, kind, gitInternal: path.split('/').some((name) => name.toLowerCase() === '.git') };
  };
}

/** Whether a real path is the folder itself or below it. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Real path; for a path that does not exist, that of its nearest existing ancestor plus the missing names. */
export function realPathOfMissing(path: string): string {
  let current = path;
  let missing: string[] = [];
  for (let links = 0; ; ) {
    try {
      return join(realpathSync.native(current), ...missing);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
    const target = danglingTarget(current);
    if (target !== null) {
      if (++links > LINKS_MAX) throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
      // The target may hold `..` through other links, so it is resolved from the real folder of the link.
      current = resolve(realPathOfMissing(dirname(current)), target);
      continue;
    }
    missing = [basename(current), ...missing];
    current = dirname(current);
  }
}

function realPathOfProtected(path: string): string {
  try {
    return realPathOfMissing(resolve(path));
  } catch {
    return resolve(path);
  }
}

function danglingTarget(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function kindOf(absolute: string): ResolvedPath['kind'] {
  const stat = statSync(absolute, { throwIfNoEntry: false });
  if (stat === undefined) return 'missing';
  if (stat.isFile()) return 'file';
  return stat.isDirectory() ? 'directory' : 'other';
}

function unreachable(text: string, error: unknown): PathProblem {
  switch (errorCode(error)) {
    case 'ENOTDIR':
      return problem('invalid', `${text}: a part of the path is a file, not a folder.`);
    case 'ELOOP':
      return problem('invalid', `${text}: its links go round in a circle.`);
    case 'ENAMETOOLONG':
      return problem('invalid', 'The path is too long.');
    case 'EACCES':
      return problem('invalid', `${text}: permission denied on the way to it.`);
    default:
      return problem('invalid', `${text} cannot be resolved: ${errorCode(error) || String(error)}.`);
  }
}

const problem = (code: PathProblem['code'], message: string): PathProblem => ({ code, message });
