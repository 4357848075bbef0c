/**
 * The rules that count in a root before its own: its repository's `info/exclude` and, where the root is a part of a
 * repository, the rule files above it. Git looks no higher than the top of a repository. One that leaves out the root
 * itself says nothing of what is in it.
 */
import { existsSync, lstatSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { readRegular } from '../files/read-regular.ts';
import { gitDirOf } from './git-index.ts';
import { type IgnoreRules, ignoreRules, type Rules } from './ignore-rules.ts';

const NAME_BYTES_MAX = 64 * 1024;

/** The nearest folder, from this one up, that is the top of a repository; null where there is none. */
export function repositoryTop(folder: string): string | null {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}

export function rootRules(root: string, ignore: IgnoreRules): Rules {
  const top = repositoryTop(root);
  if (top === null || isLeftOut(top, root)) return [];
  const names = namesFrom(top, root);
  const below = (from: number): string =>
    names
      .slice(from)
      .map((name) => `${name}/`)
      .join('');
  let rules = ignore.enter('', [], excludeOf(top), below(0));
  for (const i of names.keys()) {
    rules = ignore.enter('', rules, ruleFile(join(top, ...names.slice(0, i))), below(i));
  }
  return ignore.descendToRoot(rules);
}

/** Whether a repository ignores a folder in it. */
export function isLeftOut(top: string, root: string): boolean {
  if (top === root) return false;
  const ignore = ignoreRules();
  let rules = ignore.enter('', ignore.enter('', [], excludeOf(top)), ruleFile(top));
  let prefix = '';
  for (const name of namesFrom(top, root)) {
    const folder = `${prefix}${name}/`;
    if (ignore.ignores(folder, rules)) return true;
    rules = ignore.enter(folder, ignore.descend(folder, rules), ruleFile(join(top, folder)));
    prefix = folder;
  }
  return false;
}

const namesFrom = (top: string, root: string): readonly string[] =>
  top === root ? [] : relative(top, root).split(sep);

/** Of a worktree it lies in the git directory of the repository. */
function excludeOf(top: string): string {
  const gitDir = gitDirOf(top) ?? join(top, '.git');
  const common = commonDirOf(gitDir);
  return join(isAbsolute(common) ? common : join(gitDir, common), 'info/exclude');
}

function commonDirOf(gitDir: string): string {
  try {
    return readRegular(join(gitDir, 'commondir'), NAME_BYTES_MAX)?.toString('utf8').trim() ?? '.';
  } catch {
    return '.';
  }
}

/** One that is a link is not followed, as in git. */
function ruleFile(folder: string): string | null {
  const path = join(folder, '.gitignore');
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : null;
}
