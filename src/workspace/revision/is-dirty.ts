import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Uncommitted } from '../contract.ts';
import { readRegular } from '../files/read-regular.ts';
import { gitDirOf } from './git-index.ts';
import { gitReader } from './read-git.ts';

export interface GitPorts {
  readonly root: string;
  readonly git: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Ends the question; then the answer is null. */
  readonly signal?: AbortSignal | undefined;
}

const SETTINGS_BYTES_MAX = 16 * 1024 * 1024;

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

/** The answer of `git status` with more options; null where there is none. */
export async function statusOf(ports: GitPorts, options: readonly string[]): Promise<Buffer | null> {
  const gitDir = gitDirOf(ports.root);
  if (ports.git === null || gitDir === null) return null;
  const git = gitReader(ports.root, ports.git, ports.env, ports.signal);
  const off = mayNameDrivers(gitDir, ports) ? await driversOff(git) : [];
  return git([...off, 'status', '--porcelain', '-z', '--ignore-submodules=dirty', ...options]).catch(() => null);
}

/** The options that take every configured filter driver out of service. */
async function driversOff(git: ReturnType<typeof gitReader>): Promise<readonly string[]> {
  const drivers = await git(['config', '-z', '--name-only', '--get-regexp', '^filter\\.']).catch(() => Buffer.alloc(0));
  return drivers
    .toString('utf8')
    .split('\0')
    .flatMap((name) => {
      const value = /\.required$/.test(name) ? 'false' : /\.(clean|smudge|process)$/.test(name) ? '' : null;
      return value === null ? [] : ['-c', `${name}=${value}`];
    });
}

/**
 * Whether git has to be asked for drivers: most configurations have neither a filter nor an include, and one program
 * less at the start is worth a look at their texts. Git finds the machine's own file elsewhere on some systems; what
 * that one names, the machine's administrator trusts.
 */
function mayNameDrivers(gitDir: string, { root, env }: GitPorts): boolean {
  if (gitDir !== join(root, '.git') || existsSync(join(gitDir, 'commondir'))) return true;
  const home = env['HOME'] ?? '';
  const files = [
    join(gitDir, 'config'),
    join(gitDir, 'config.worktree'),
    join(home, '.gitconfig'),
    join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'git', 'config'),
    '/etc/gitconfig',
  ];
  return files.some((file) => {
    try {
      if (!existsSync(file)) return false;
      const text = readRegular(file, SETTINGS_BYTES_MAX)?.toString('latin1');
      return text === undefined || /filter|include/i.test(text);
    } catch {
      return true;
    }
  });
}
