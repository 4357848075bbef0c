import { type Failure, makeFailure } from '#kernel';
import { ripgrepProgram, runTool, type Workspace } from '#workspace';

const timeoutMs = 30_000;
const outputBytesMax = 4 * 1024 * 1024;

export type RipgrepRun =
  | {
      readonly ok: true;
      readonly stdout: string;
      /** More was found than is in `stdout`. */
      readonly truncated: boolean;
      /** Files that could not be read, as ripgrep names them. */
      readonly complaints: string;
    }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Options of every run: the user's ripgrep configuration is not read, hidden files count, git's own data does not,
 * links are not followed, and the order is that of the paths, so that equal trees give equal answers.
 */
const fixed = ['--no-config', '--color=never', '--hidden', '--no-require-git', '--no-ignore-global', '--sort=path'];
const hidden = ['--glob=!.git', '--glob=!**/.git/**'];

/** Runs ripgrep in the root. No match is an empty answer; a faulty pattern is a failure that explains itself. */
export async function runRipgrep(
  workspace: Workspace,
  args: readonly string[],
  signal: AbortSignal,
): Promise<RipgrepRun> {
  const program = await ripgrepProgram(workspace.processes);
  if (program === null) {
    const failure = makeFailure('tool', 'ripgrep is not installed.', 'Search with a Bash command.', {
      blame: 'environment',
    });
    return { ok: false, failure };
  }
  const run = await runTool(program, [...fixed, ...hidden, ...args], {
    cwd: workspace.root,
    env: {},
    timeoutMs,
    outputBytesMax,
    signal,
  });
  if (signal.aborted) {
    return { ok: false, failure: makeFailure('cancelled', 'The search was cancelled.', 'Search again if needed.') };
  }
  if (run.timedOut) {
    const failure = makeFailure('timeout', 'The search took longer than 30 s.', 'Search a smaller path or glob.');
    return { ok: false, failure };
  }
  const stdout = new TextDecoder('utf-8').decode(run.stdout);
  // With code 2 ripgrep may still have found something: then the rest is told as a remark.
  if (run.exitCode === 0 || run.exitCode === 1 || run.truncated || stdout !== '') {
    return { ok: true, stdout, truncated: run.truncated, complaints: run.exitCode === 2 ? run.stderr.trim() : '' };
  }
  return { ok: false, failure: searchFailure(run.stderr) };
}

function searchFailure(stderr: string): Failure {
  const message = stderr.replaceAll(/^rg: /gm, '').trim().slice(0, 600);
  if (/regex|parse error|unclosed|literal/i.test(message)) {
    return makeFailure(
      'schema',
      `The pattern is no valid regular expression (Rust syntax, no look-around, no back-references):\n${message}`,
      'Escape what is meant literally, for example \\( \\{ \\[ \\. , and search again.',
      { signature: 'schema: search pattern' },
    );
  }
  return makeFailure('tool', message === '' ? 'The search failed.' : message, 'Check path and glob.');
}
