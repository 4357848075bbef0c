import { GIT_READING_OPTIONS, gitReadingEnv, runTool, type Workspace } from '#workspace';
import { trailer } from './commit-command.ts';

export interface FoundCommit {
  readonly hash: string;
  readonly subject: string;
}

const askMs = 60_000;
/**
 * The commit that an action made. A branch leads to it, or the reflog does because it was amended or left since. A
 * reflog that ends with it while no branch leads to it was written by a git that died before it moved the branch: then
 * nothing is committed. `sinceMs` is Unix time and bounds the search. Throws where git cannot answer.
 */
export async function findCommit(
  workspace: Workspace,
  actionId: string,
  sinceMs: number,
  signal: AbortSignal,
): Promise<FoundCommit | null> {
  const named = ['--fixed-strings', `--grep=${trailer}: ${actionId}`, '--max-count=1', '--format=%H %s'];
  const since = sinceMs > 0 ? [`--since=@${Math.floor(sinceMs / 1000)}`] : [];
  // A ref that leads nowhere makes git refuse to look at all of them; most commits are found without.
  const kept =
    (await ask(workspace, ['HEAD', ...named, ...since], signal)) ??
    (await ask(workspace, ['--all', ...named, ...since], signal));
  if (kept !== null) return kept;
  const logged = await ask(workspace, ['--reflog', ...named, ...since], signal);
  if (logged === null) return null;
  const newest = await ask(workspace, ['--walk-reflogs', '--max-count=1', '--format=%H %s', 'HEAD'], signal);
  return newest?.hash === logged.hash ? null : logged;
}

async function ask(workspace: Workspace, args: readonly string[], signal: AbortSignal): Promise<FoundCommit | null> {
  const git = workspace.processes.program('git');
  if (git === null) throw new Error('git is not installed');
  const run = await runTool(git, [...GIT_READING_OPTIONS, 'log', '--no-show-signature', ...args], {
    cwd: workspace.root,
    env: gitReadingEnv(workspace.processes.helperEnv()),
    timeoutMs: askMs,
    outputBytesMax: 65_536,
    signal,
  });
  if (run.exitCode !== 0) {
    // A repository without any commit has no HEAD to look from.
    if (/unknown revision|bad revision|does not have any commits/.test(run.stderr)) return null;
    throw new Error(`git could not be asked: ${run.stderr.trim().slice(0, 300)}`);
  }
  const [line = ''] = Buffer.from(run.stdout).toString('utf8').split('\n');
  const at = line.indexOf(' ');
  return at > 0 ? { hash: line.slice(0, at), subject: line.slice(at + 1) } : null;
}
