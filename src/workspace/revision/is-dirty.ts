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
  const status = await git([...off, 'status', '--porcelain', '-z', '--ignore-submodules=dirty']).catch(() => null);
  return status === null ? null : status.length > 0;
}
