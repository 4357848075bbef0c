import { runTool } from '../process/run-tool.ts';

/** Options under which git runs no monitor and no hook, and quotes no path. */
export const GIT_READING_OPTIONS = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
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

/** Asks git a reading question. Rejects when git fails; exit code 1 of `config` means "none". */
export function gitReader(root: string, git: string, env: Readonly<Record<string, string>>) {
  const own = gitReadingEnv(env);
  return async (args: readonly string[], input?: string): Promise<Buffer> => {
    const result = await runTool(git, [...GIT_READING_OPTIONS, ...args], {
      cwd: root,
      env: own,
      timeoutMs: TIMEOUT_MS,
      outputBytesMax: OUTPUT_BYTES_MAX,
      ...(input === undefined ? {} : { input }),
    });
    const isAnswer = result.exitCode === 0 || (args[0] === 'config' && result.exitCode === 1);
    if (!isAnswer || result.truncated) throw new Error(`git ${args[0]} failed: ${result.stderr.trim()}`);
    return Buffer.from(result.stdout);
  };
}
