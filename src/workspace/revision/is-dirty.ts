import type { Uncommitted } from '../contract.ts';
import { gitDirOf } from './git-index.ts';
import { gitReader } from './read-git.ts';

export interface GitPorts {
  readonly root: string;
  readonly git: string | null;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Whether git would list changes. Null: no repository here, no git, or git does not answer. Filter drivers are
 * switched off for the question, because asking must not run what the repository's configuration names.
 */
export async function isDirty(ports: GitPorts): Promise<boolean | null> {
  const status = await statusOf(ports, []);
  return status === null ? null : status.length > 0;
}

/** What no commit holds: changed tracked files, and files that git does not know. Null as for `isDirty`. */
export async function uncommitted(ports: GitPorts): Promise<Uncommitted | null> {
  const status = await statusOf(ports, ['--untracked-files=all', '--no-renames']);
  if (status === null) return null;
  const lines = status
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '');
  const pathsOf = (isWanted: boolean) =>
    lines.filter((line) => line.startsWith('??') === isWanted).map((line) => line.slice(3));
  return { changed: pathsOf(false), untracked: pathsOf(true) };
}

async function statusOf(ports: GitPorts, options: readonly string[]): Promise<Buffer | null> {
  if (ports.git === null || gitDirOf(ports.root) === null) return null;
  const git = gitReader(ports.root, ports.git, ports.env);
  const drivers = await git(['config', '-z', '--name-only', '--get-regexp', '^filter\\.']).catch(() => Buffer.alloc(0));
  const off = drivers
    .toString('utf8')
    .split('\0')
    .flatMap((name) => {
      const value = /\.required$/.test(name) ? 'false' : /\.(clean|smudge|process)$/.test(name) ? '' : null;
      return value === null ? [] : ['-c', `${name}=${value}`];
    });
  return git([...off, 'status', '--porcelain', '-z', '--ignore-submodules=dirty', ...options]).catch(() => null);
}
