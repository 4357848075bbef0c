import { runTool } from '../process/run-tool.ts';

const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.quotePath=false'];
const TIMEOUT_MS = 20_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Asks git a reading question: no optional locks, no hooks, no monitor, no fetching of missing objects, and none of
 * the `GIT_*` variables that could point it elsewhere. Rejects when git fails; exit code 1 of `config` means "none".
 */
export function gitReader(root: string, git: string, env: Readonly<Record<string, string>>) {
  const own = {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
    LC_ALL: 'C',
  };
  return async (args: readonly string[], input?: string): Promise<Buffer> => {
    const result = await runTool(git, [...SAFE, ...args], {
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
