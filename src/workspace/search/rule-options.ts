/**
 * Which rule files of folders above the workspace a search minds, as options of ripgrep. Git looks no higher than the top
 * of the repository: a `.gitignore` with `*` in a home folder says nothing of the repositories below it.
 */
import { existsSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isLeftOut, repositoryTop } from '../revision/root-rules.ts';

/** Rules count without a repository, too; ripgrep then knows no top at which those of the folders above end. */
const anywhere = '--no-require-git';

/** `root`: a real path. A few looks at the disk, so that a repository that is made later counts from then on. */
export function ruleOptions(root: string): readonly string[] {
  const top = repositoryTop(root);
  if (top === root) return [];
  const isFree = top === null ? hasRulesAbove(root) : isLeftOut(top, root);
  if (!isFree) return top === null ? [anywhere] : [];
  // Below the root its rules are among those of the folders above: they are given by name.
  return [anywhere, '--no-ignore-parent', ...(isFile(join(root, '.gitignore')) ? ['--ignore-file=.gitignore'] : [])];
}

function hasRulesAbove(root: string): boolean {
  for (let at = root; dirname(at) !== at; at = dirname(at)) {
    if (existsSync(join(dirname(at), '.gitignore'))) return true;
  }
  return false;
}

const isFile = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
