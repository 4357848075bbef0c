import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Uncommitted } from '../contract.ts';
import { readRegular } from '../files/read-regular.ts';
import { gitDirOf } from './git-index.ts';
import { gitReader } from './read-git.ts';
import { isLeftOut, repositoryTop } from './root-rules.ts';

export interface GitPorts {
  readonly root: string;
  readonly git: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** Ends the question; then the answer is null. */
  readonly signal?: AbortSignal | undefined;
}

const SETTINGS_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Whether git would list changes. Null: no repository here or around, one that ignores the root, no git, or git does not
 * answer. Filter drivers are switched off for the question, because asking must not run what the repository's
 * configuration names.
 */
export async function isDirty(ports: GitPorts): Promise<boolean | null> {
  const place = placeOf(ports.root);
  const status = place === null ? null : await statusOf({ ...ports, root: place.top }, place.only);
  return status === null ? null : status.length > 0;
}

/**
 * What no commit holds: changed tracked files, and files that git does not know. Null as for `isDirty`. Where the root is
 * a part of a repository, changed files are those of all of it, because commands take them back all at once; paths from the
 * root may then lead above it.
 */
export async function uncommitted(ports: GitPorts): Promise<Uncommitted | null> {
  const place = placeOf(ports.root);
  if (place === null) return null;
  const { top, only } = place;
  const ask = (options: readonly string[]) => statusOf({ ...ports, root: top }, ['--no-renames', ...options]);
  // Of what lies around a part nobody walks through all folders.
  const around = only.length === 0 ? Buffer.alloc(0) : await ask(['--untracked-files=no']);
  const inside = around === null ? null : await ask(['--untracked-files=all', ...only]);
  if (around === null || inside === null) return null;
  const fromRoot = (file: string) => relative(ports.root, join(top, file)).split(sep).join('/');
  const pathsOf = (isWanted: boolean) => {
    const lines = [...linesOf(inside), ...linesOf(around)].filter((line) => line.startsWith('??') === isWanted);
    return [...new Set(lines.map((line) => line.slice(3)))].map(top === ports.root ? (file) => file : fromRoot);
  };
  return { changed: pathsOf(false), untracked: pathsOf(true) };
}

const linesOf = (status: Buffer): readonly string[] =>
  status
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '');

/** The repository that holds the root, and the words that keep a question to it; null where none does. */
function placeOf(root: string): { readonly top: string; readonly only: readonly string[] } | null {
  const top = repositoryTop(root);
  if (top === null || isLeftOut(top, root)) return null;
  return { top, only: top === root ? [] : ['--', `:(literal)${relative(top, root).split(sep).join('/')}`] };
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
