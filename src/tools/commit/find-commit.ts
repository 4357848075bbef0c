import { GIT_READING_OPTIONS, gitReadingEnv, runTool, type Workspace } from '#workspace';
import { reflogMark, trailer } from './commit-command.ts';

export interface FoundCommit {
  readonly hash: string;
  readonly subject: string;
  /** What names the action. A hook can take the trailer out of the message; the log of the refs is git's own. */
  readonly by: 'trailer' | 'reflog';
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
  if (kept !== null) return { ...kept, by: 'trailer' };
  const logged =
    (await ask(workspace, ['--reflog', ...named, ...since], signal)) ?? (await marked(workspace, actionId, signal));
  if (logged === null) return null;
  const by = logged.mark === undefined ? 'trailer' : 'reflog';
  const found = { hash: logged.hash, subject: logged.subject, by } as const;
  if (by === 'reflog' && (await isKept(workspace, logged.hash, signal))) return found;
  const newest = await ask(workspace, ['--walk-reflogs', '--max-count=1', '--format=%H %s', 'HEAD'], signal);
  return newest?.hash === logged.hash ? null : found;
}

interface Logged {
  readonly hash: string;
  readonly subject: string;
  readonly mark?: string;
}

/**
 * The newest commit that the reflog of HEAD ascribes to the action. A hook may have moved HEAD otherwise under the same
 * mark; only what makes a commit notes the first line of its message.
 */
async function marked(workspace: Workspace, actionId: string, signal: AbortSignal): Promise<Logged | null> {
  const words = ['--walk-reflogs', '--fixed-strings', `--grep-reflog=${reflogMark(actionId)}: `, '--max-count=20'];
  for (const line of await log(workspace, [...words, '--format=%H %gs%x00%s', 'HEAD'], signal)) {
    const [mark = '', subject = ''] = line.slice(line.indexOf(' ') + 1).split('\0');
    const noted = mark.slice(mark.indexOf(': ') + 2).trim();
    const isCommit = mark.startsWith(`${reflogMark(actionId)}: `) && noted !== '' && subject.trim().startsWith(noted);
    if (isCommit) return { hash: line.slice(0, line.indexOf(' ')), subject, mark };
  }
  return null;
}

/** Whether a branch, or HEAD itself, leads to a commit. */
async function isKept(workspace: Workspace, hash: string, signal: AbortSignal): Promise<boolean> {
  const words = ['branch', '--all', `--contains=${hash}`, '--format=%(refname)'];
  return (await git(workspace, words, signal)).length > 0;
}

async function ask(workspace: Workspace, args: readonly string[], signal: AbortSignal): Promise<Logged | null> {
  const [line = ''] = await log(workspace, args, signal);
  const at = line.indexOf(' ');
  return at > 0 ? { hash: line.slice(0, at), subject: line.slice(at + 1) } : null;
}

const log = (workspace: Workspace, args: readonly string[], signal: AbortSignal): Promise<readonly string[]> =>
  git(workspace, ['log', '--no-show-signature', ...args], signal);

async function git(workspace: Workspace, args: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
  const program = workspace.processes.program('git');
  if (program === null) throw new Error('git is not installed');
  const run = await runTool(program, [...GIT_READING_OPTIONS, ...args], {
    cwd: workspace.root,
    env: gitReadingEnv(workspace.processes.helperEnv()),
    timeoutMs: askMs,
    outputBytesMax: 65_536,
    signal,
  });
  if (run.exitCode !== 0) {
    // A repository without any commit has no HEAD to look from.
    if (/unknown revision|bad revision|does not have any commits/.test(run.stderr)) return [];
    throw new Error(`git could not be asked: ${run.stderr.trim().slice(0, 300)}`);
  }
  return Buffer.from(run.stdout)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
}
