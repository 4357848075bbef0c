/** What git's index holds besides the last commit and the files. */
import { lstatSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { StagedOnly } from '../contract.ts';
import { type GitPorts, statusOf } from './is-dirty.ts';

/**
 * Files whose content in the index differs from both, of the whole repository that holds the root: paths from the root,
 * also those that lead above it. Empty where there is no repository, null where git does not answer.
 */
export async function stagedOnly(ports: GitPorts): Promise<readonly StagedOnly[] | null> {
  const top = topOf(ports.root);
  if (top === null) return [];
  const options = ['--porcelain=v2', '--untracked-files=no', '--no-renames'];
  const status = await statusOf({ ...ports, root: top }, options);
  if (status === null) return null;
  return status
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const [, hash = '', path = ''] = /^1 [MAT][MDT] (?:\S+ ){5}(\S+) (.*)$/s.exec(line) ?? [];
      return path === '' ? [] : [{ path: relative(ports.root, join(top, path)).split(sep).join('/'), hash }];
    });
}

function topOf(root: string): string | null {
  for (let at = root; ; at = dirname(at)) {
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false }) !== undefined) return at;
    if (dirname(at) === at) return null;
  }
}
