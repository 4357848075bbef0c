import { join, relative, sep } from 'node:path';
import type { Elsewhere, Unheld } from '../contract.ts';
import { type GitPorts, statusOf } from './is-dirty.ts';
import { repositoryTop } from './root-rules.ts';

/**
 * What no commit holds of the repository around the root, outside of it, also where that repository ignores the root:
 * git reaches it from there. Empty where the root is the top or in no repository; null where git does not answer.
 */
export async function elsewhere(ports: GitPorts, which: readonly Unheld[]): Promise<Elsewhere | null> {
  const { root } = ports;
  const top = repositoryTop(root);
  if (top === null || top === root || ports.git === null) return { top: '.', files: [] };
  const fromRoot = (path: string): string => relative(root, path).split(sep).join('/');
  const part = relative(top, root).split(sep).join('/');
  const status = await statusOf({ ...ports, root: top }, [
    '--no-renames',
    `--untracked-files=${which.includes('untracked') ? 'all' : 'no'}`,
    ...(which.includes('ignored') ? ['--untracked-files=all', '--ignored=matching'] : []),
    '--',
    '.',
    `:(exclude,literal)${part}`,
  ]);
  if (status === null) return null;
  const lines = status.toString('utf8').split('\0').slice(0, -1);
  const files = lines
    .filter((line) => which.includes(kindOf(line)))
    .map((line) => `${fromRoot(join(top, line.slice(3)))}${line.endsWith('/') ? '/' : ''}`)
    // Git lists what it ignores also where it was told to leave it out.
    .filter((path) => path.startsWith('../'));
  return { top: fromRoot(top), files };
}

const kindOf = (line: string): Unheld =>
  line.startsWith('??') ? 'untracked' : line.startsWith('!!') ? 'ignored' : 'changes';
