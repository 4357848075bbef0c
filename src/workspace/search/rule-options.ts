/**
 * Which rule files of folders above the workspace a search minds, as options of ripgrep. Git looks no higher than the top
 * of the repository: a `.gitignore` with `*` in a home folder says nothing of the repositories below it.
 */
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { gitDirOf } from '../revision/git-index.ts';
import { ignoreRules } from '../revision/ignore-rules.ts';

/** Rules count without a repository, too; ripgrep then knows no top at which those of the folders above end. */
const anywhere = '--no-require-git';

/** `root`: a real path. A few looks at the disk, so that a repository that is made later counts from then on. */
export function ruleOptions(root: string): readonly string[] {
  const top = repositoryTop(root);
  if (top === root) return [];
  const isLeftOut = top === null ? hasRulesAbove(root) : isIgnored(top, root);
  if (!isLeftOut) return top === null ? [anywhere] : [];
  // Below the root its rules are among those of the folders above: they are given by name.
  return [anywhere, '--no-ignore-parent', ...(isFile(join(root, '.gitignore')) ? ['--ignore-file=.gitignore'] : [])];
}

function repositoryTop(root: string): string | null {
  for (let at = root; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}

function hasRulesAbove(root: string): boolean {
  for (let at = root; dirname(at) !== at; at = dirname(at)) {
    if (existsSync(join(dirname(at), '.gitignore'))) return true;
  }
  return false;
}

/** A workspace that its repository ignores: what is in it is what the user works on all the same. */
function isIgnored(top: string, root: string): boolean {
  const rules = ignoreRules();
  const gitDir = gitDirOf(top);
  let level = rules.enter('', [], gitDir === null ? null : join(gitDir, 'info/exclude'));
  level = rules.enter('', level, join(top, '.gitignore'));
  let prefix = '';
  for (const name of relative(top, root).split(sep)) {
    const folder = `${prefix}${name}/`;
    if (rules.ignores(folder, level)) return true;
    level = rules.enter(folder, rules.descend(folder, level), join(top, folder, '.gitignore'));
    prefix = folder;
  }
  return false;
}

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
