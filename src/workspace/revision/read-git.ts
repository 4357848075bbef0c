import { statSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../process/run-tool.ts';
import { gitDirOf } from './git-index.ts';

/** Options under which git runs no monitor and no hook, takes no plain folder for a repository, and quotes no path. */
export const GIT_READING_OPTIONS = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'safe.bareRepository=explicit',
  '-c',
  'core.quotePath=false',
];
const TIMEOUT_MS = 20_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The environment of a git that is only asked: no optional locks, no prompt, none of the `GIT_*` variables that could
 * point it elsewhere, and no fetching of missing objects, which starts whatever the repository's configuration names.
 * Older gits know only the list of allowed protocols; no protocol has the name in it.
 */
export const gitReadingEnv = (env: Readonly<Record<string, string>>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))),
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  LC_ALL: 'C',
});

/** What git opens of a repository and its root without a look at what it is: a pipe there would hold it for ever. */
const READ_BY_GIT = ['HEAD', 'config', 'config.worktree', 'commondir', 'index', 'info/exclude', 'info/attributes'];
const READ_IN_ROOT = ['.gitignore', '.gitattributes', '.gitmodules'];

function refuseStrange(root: string): void {
  const gitDir = gitDirOf(root);
  const own = gitDir === null ? [] : READ_BY_GIT.map((name) => join(gitDir, name));
  const strange = [...own, ...READ_IN_ROOT.map((name) => join(root, name))].find((path) => !isFileOrNothing(path));
  if (strange !== undefined) throw new Error(`git was not asked: ${strange} is no regular file`);
}

function isFileOrNothing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? true;
  } catch {
    return true;
  }
}

/** Asks git a reading question. Rejects when git fails; exit code 1 of `config` means "none". */
export function gitReader(root: string, git: string, env: Readonly<Record<string, string>>, signal?: AbortSignal) {
  const own = gitReadingEnv(env);
  return async (args: readonly string[], input?: string): Promise<Buffer> => {
    refuseStrange(root);
    const result = await runTool(git, [...GIT_READING_OPTIONS, ...args], {
      cwd: root,
      env: own,
      timeoutMs: TIMEOUT_MS,
      outputBytesMax: OUTPUT_BYTES_MAX,
      ...(signal === undefined ? {} : { signal }),
      ...(input === undefined ? {} : { input }),
    });
    const isAnswer = result.exitCode === 0 || (args[0] === 'config' && result.exitCode === 1);
    if (!isAnswer || result.truncated) throw new Error(`git ${args[0]} failed: ${result.stderr.trim()}`);
    return Buffer.from(result.stdout);
  };
}
