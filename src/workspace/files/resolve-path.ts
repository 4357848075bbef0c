/**
 * Turns the text a model wrote into a path inside the workspace, or into a problem.
 *
 * 1. Only the real path counts: names are followed one after the other as the kernel does, a `..` behind a link leads
 *    above the link's target, and only then is the path compared with the root.
 * 2. Of a path that does not exist, the nearest existing ancestor must be inside; a dangling link counts as its target.
 * 3. A sibling of the root with the same prefix is outside.
 * 4. `alike`: a name that is not there means the one that differs from it only in how its letters are composed (é as
 *    one character, or e with an accent), if there is one and no other. Tools name files so, whether they read or write.
 */
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { PathProblem, ResolvedPath } from '../contract.ts';
import { errorCode, isMissing } from '../error-code.ts';

/** As many links as the kernel follows. */
const LINKS_MAX = 40;

export type Resolve = (text: string) => ResolvedPath | PathProblem;

export const isProblem = (value: object): value is PathProblem => 'code' in value && 'message' in value;

export type Spelling = 'exact' | 'alike';

/** `root` must be a real path; `protectedPaths` need not exist. */
export function pathResolver(root: string, protectedPaths: readonly string[], spelling: Spelling = 'exact'): Resolve {
  return (text) => {
    if (text.includes('\0')) return problem('invalid', 'A path cannot contain a NUL byte.');
    if (text === '~' || text.startsWith('~/')) {
      return problem('outside', `${text}: "~" is not expanded. Give a path inside the workspace ${root}.`);
    }
    let absolute: string;
    try {
      // Not joined by text: that would take a `..` back to where the link before it stands.
      absolute = realPathOfMissing(isAbsolute(text) ? text : `${root}/${text}`, spelling);
    } catch (error) {
      return unreachable(text, error);
    }
    if (!isInside(root, absolute)) {
      // By its name it is inside, so to name another one inside is no advice yet.
      const leads = isInside(root, resolve(root, text)) ? `leads to ${absolute},` : 'is';
      return problem('outside', `${text} ${leads} outside the workspace ${root}.`);
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

/**
 * Real path of an absolute one, which may hold `..`; for a path that does not exist, that of its nearest existing
 * ancestor plus the missing names. A `..` behind a missing name takes that name back.
 */
export function realPathOfMissing(path: string, spelling: Spelling = 'exact'): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const left = path.split(sep);
  let at: string = sep;
  for (let links = 0; left.length > 0; ) {
    const given = left.shift() ?? '';
    if (given === '' || given === '.') continue;
    if (given === '..') {
      at = dirname(at);
      continue;
    }
    const name = spelling === 'alike' ? composedAsFound(at, given) : given;
    const target = linkTarget(join(at, name));
    if (target === null) {
      at = spelledAsFound(join(at, name));
      continue;
    }
    if (++links > LINKS_MAX) throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
    left.unshift(...target.split(sep));
    if (isAbsolute(target)) at = sep;
  }
  return at;
}

/** Some file systems find a name in any composition of its letters; on the others it is looked for. */
function composedAsFound(folder: string, name: string): string {
  if (!/[^\0-\x7f]/.test(name) || lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined) return name;
  const wanted = name.normalize('NFC');
  const [alike, other] = namesIn(folder).filter((one) => one.normalize('NFC') === wanted);
  return alike !== undefined && other === undefined ? alike : name;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Some file systems find a name in another case of its letters; the name that is there counts. */
function spelledAsFound(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isMissing(error)) return path;
    throw error;
  }
}

function realPathOfProtected(path: string): string {
  try {
    return realPathOfMissing(resolve(path));
  } catch {
    return resolve(path);
  }
}

/** Where a link points, as it says; null for everything else, also where nothing is. */
function linkTarget(path: string): string | null {
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
