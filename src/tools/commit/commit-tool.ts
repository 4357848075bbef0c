/**
 * Commits exactly the paths named, as the user would: `git commit --only`, so the hooks and the configuration of the
 * repository count and what else is staged stays staged. It runs under the supervisor like any command.
 *
 * The commit carries the action: in the reflog (`belay/<action>`) and as the trailer `Belay-Action`. So an attempt left
 * behind is settled by asking the repository, and a commit that was made is never made again.
 */
import { type Json, makeFailure, type ToolDefinition } from '#kernel';
import { isBareRepository } from '#permission';
import type { ProcessResult, Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { AttemptContext, Inspection, Settlement, Tool, ToolOutcome } from '../contract.ts';
import { failed } from '../outcome.ts';
import { pathFailure } from '../paths/path-failure.ts';
import { endOf, prepareProcess, provenanceOf, settlingOf } from '../process/attempt-process.ts';
import { sandboxLines } from '../process/sandbox-lines.ts';
import { cleanOutput } from '../text/clean-output.ts';
import { unmasked } from '../text/masked-part.ts';
import { preview } from '../text/preview.ts';
import { commitCommand } from './commit-command.ts';
import { type FoundCommit, findCommit } from './find-commit.ts';

/** Hooks may run whole test suites. */
const timeoutMs = 600_000;
const previewLength = 10_000;
const askMs = 60_000;
/** Clocks of commits may be behind: the repository is asked for commits since this long before the start. */
const clockSlackMs = 24 * 60 * 60 * 1000;

const definition: ToolDefinition = {
  name: 'Commit',
  deferred: true,
  description: 'git commit of exactly these paths. Prefer it to Bash.',
  inputSchema: {
    type: 'object',
    properties: {
      message: { type: 'string' },
      paths: { type: 'array', items: { type: 'string' } },
    },
    required: ['message', 'paths'],
  },
};

export function createCommitTool(workspace: Workspace): Tool {
  return {
    definition,
    // What hooks touch is not known, so nothing else with an effect runs beside it.
    classify: () => ({ effect: 'query', paths: null }),
    inspect: async (args) => inspect(workspace, args),
    prepare: async (args, context) => {
      const found = await inspect(workspace, args);
      if (!found.ok) return found;
      const { files, message } = asked(args);
      const { paths, present } = await resolved(workspace, files);
      const git = workspace.processes.program('git');
      if (git === null) return { ok: false, failure: gitMissing };
      const command = commitCommand(git, message, paths, present, context.actionId);
      const prepared = await prepareProcess(workspace, { ...requestOf(workspace, context), command });
      if (!prepared.ok) return prepared;
      return {
        ok: true,
        attempt: {
          deadlineMs: timeoutMs,
          base: { sinceMs: Date.now() - clockSlackMs },
          run: async () => outcomeOf(workspace, args, context, await prepared.process.start()),
          discard: () => prepared.process.discard(),
        },
      };
    },
    settle: (args, base, context) => settle(workspace, args, base, context),
  };
}

const gitMissing = makeFailure('tool', 'git was not found outside the workspace.', 'Leave the commit to the user.', {
  blame: 'environment',
});

function asked(args: Json): { readonly message: string; readonly files: readonly string[] } {
  const given = readArguments(args);
  const files = (given.list('paths') ?? []).filter((path) => typeof path === 'string');
  return { message: (given.text('message') ?? '').trim(), files };
}

const requestOf = (workspace: Workspace, context: AttemptContext) => ({
  cwd: workspace.root,
  execFolder: context.execFolder,
  attemptId: context.attemptId,
  actionId: context.actionId,
  timeoutMs,
  signal: context.signal,
  onOutput: context.onOutput,
});

/** What is approved is bound to the content of the files, so that nothing else is committed later. */
async function inspect(workspace: Workspace, args: Json): Promise<Inspection> {
  const { message, files } = asked(args);
  const refuse = (text: string, next: string): Inspection => ({
    ok: false,
    failure: makeFailure('precondition', text, next),
  });
  if (message === '') return refuse('The message is empty.', 'Say what the commit does.');
  if (message.includes('\0')) return refuse('The message contains a NUL byte.', 'Leave it out.');
  if (files.length === 0) return refuse('No path is named.', 'Name the paths to commit.');
  const isThere = async (path: string) => {
    const found = await workspace.files.resolve(path);
    return 'code' in found ? found.code !== 'missing' : found.kind !== 'missing';
  };
  if (await isBareRepository('.', isThere)) {
    const text = 'Git would take the workspace itself for a repository (HEAD, objects, refs) and run what is in it.';
    return refuse(text, 'Leave the commit to the user.');
  }
  const bound: { readonly path: string; readonly hash: string | null }[] = [];
  for (const file of files) {
    const found = await workspace.files.resolve(file);
    if ('code' in found && found.code !== 'missing') {
      return { ok: false, failure: await pathFailure(workspace.files, file, found, 'Commit') };
    }
    if ('code' in found) return refuse(`${file} does not exist.`, 'Name paths inside the workspace.');
    if (found.gitInternal) return refuse(`${found.path} belongs to git.`, 'Name files of the work itself.');
    bound.push({ path: found.path, hash: found.kind === 'file' ? await workspace.files.hash(found.path) : null });
  }
  const staged = (await workspace.revision.stagedOnly?.()) ?? [];
  const replaced = staged.filter(({ path }) =>
    bound.some((one) => path === one.path || path.startsWith(`${one.path}/`)),
  );
  const lost = replaced.map(({ path }) => `\n${path}: another version is staged, and would be lost`);
  return { ok: true, base: { paths: bound }, preview: `${message}\n\n${files.join('\n')}${lost.join('')}` };
}

async function resolved(workspace: Workspace, files: readonly string[]) {
  const paths: string[] = [];
  const present: string[] = [];
  for (const file of files) {
    const found = await workspace.files.resolve(file);
    if ('code' in found) continue;
    paths.push(found.path);
    if (found.kind !== 'missing') present.push(found.path);
  }
  return { paths, present };
}

async function outcomeOf(
  workspace: Workspace,
  args: Json,
  context: AttemptContext,
  result: ProcessResult,
): Promise<ToolOutcome> {
  const end = endOf(result, timeoutMs);
  const mask = context.mask ?? unmasked;
  const shown = preview(mask(cleanOutput(result.output).trimEnd()), previewLength).text;
  const provenance = provenanceOf(result);
  const exitCode = result.exitCode === null ? {} : { exitCode: result.exitCode };
  // Whatever its end was: git commits before the last of its hooks runs. It is asked also where the run was cancelled.
  const commit = await findCommit(workspace, context.actionId, 0, AbortSignal.timeout(askMs)).catch(() => unasked);
  const found = typeof commit === 'object' && commit !== null ? commit : null;
  const isMade = found !== null && isAsked(found, args);
  const data = isMade ? { data: { commit: found.hash } } : {};
  const isSaid = result.exitCode === 0 && end.status === 'succeeded';
  // Git said that it committed; a repository that cannot be asked about it takes nothing of that away.
  if (isSaid) return { status: 'succeeded', output: shown, provenance, ...exitCode, ...data };
  if (isMade) {
    const made = `The commit was made all the same: ${named(found)}`;
    return { status: 'succeeded', output: `${shown}\n${end.line}\n${made}`.trim(), provenance, ...exitCode, ...data };
  }
  if (end.status !== 'succeeded' || result.exitCode === null) {
    const { status, failure, data } = end;
    const more = { ...(failure === undefined ? {} : { failure }), ...(data === undefined ? {} : { data }) };
    return { status, output: `${shown}\n${end.line}`.trim(), provenance, ...exitCode, ...more };
  }
  const told = [shown, ...sandboxLines(result, shown)].join('\n');
  const none = typeof commit === 'string' ? commit : 'Nothing was committed.';
  const what = found === null ? none : `Git failed; on its way a hook committed ${named(found)}`;
  return { ...failed(refusal(what, told)), provenance, ...exitCode };
}

const unasked = 'Git failed, and the repository could not be asked whether a commit was made.';
const named = ({ hash, subject }: FoundCommit): string => `${hash.slice(0, 12)} ${subject}`;

/** Under the mark of an action its hooks can have committed something else; hooks that edit a message mostly add to it. */
const isAsked = (commit: FoundCommit, args: Json): boolean =>
  commit.by === 'trailer' || commit.subject.includes((asked(args).message.split('\n')[0] ?? '').trim());

function refusal(what: string, output: string) {
  const next = /index\.lock/.test(output)
    ? 'Another git is at work or was killed: see that none runs, then remove the lock file it names.'
    : 'Look at what git or a hook says, correct that, and commit again.';
  return makeFailure('tool', `${what}\n${output}`, next, { signature: 'tool: commit refused' });
}

/** The end of the command first, so that nothing of it is at work any more; then the repository is asked. */
async function settle(
  workspace: Workspace,
  args: Json,
  base: Json | null,
  context: AttemptContext,
): Promise<Settlement> {
  const result = await workspace.processes.settle({ ...requestOf(workspace, context), bootId: context.bootId });
  if (result.state === 'not-started') return { state: 'not-started', settling: settlingOf(result) };
  const commit = await findCommit(workspace, context.actionId, sinceOf(base), context.signal);
  if (commit !== null && !isAsked(commit, args)) return { state: 'settled', outcome: otherCommit(commit) };
  if (commit !== null) {
    return {
      state: 'settled',
      outcome: {
        status: 'succeeded',
        output: `The commit was made before the run was interrupted: ${named(commit)}`,
        data: { commit: commit.hash },
        provenance: 'reconciled',
        settling: { probe: 'query', observed: observed(commit), verdict: 'applied' },
      },
    };
  }
  // A command that was stopped or refused has said so itself; one that just vanished may be run again.
  if (result.state !== 'unknown') {
    return {
      state: 'settled',
      outcome: { ...(await outcomeOf(workspace, args, context, result)), settling: settlingOf(result) },
    };
  }
  return {
    state: 'not-started',
    settling: { probe: 'query', observed: 'no commit names this action', verdict: 'not-applied' },
  };
}

function otherCommit(commit: FoundCommit): ToolOutcome {
  const evidence = `under this action a commit of another message was made: ${named(commit)}`;
  const output = `It is not known whether the commit was made: ${evidence}. Look at the repository; do not assume either.`;
  const settling = { probe: 'query', observed: evidence, verdict: 'unknown' } as const;
  return { status: 'unknown', output, data: { evidence }, provenance: 'reconciled', settling };
}

const observed = ({ hash, by }: FoundCommit): string =>
  by === 'trailer' ? `commit ${hash} names this action` : `the log of HEAD says that this action made commit ${hash}`;

function sinceOf(base: Json | null): number {
  const since =
    base !== null && typeof base === 'object' && !Array.isArray(base) ? (base as { sinceMs?: Json }).sinceMs : 0;
  return typeof since === 'number' ? since : 0;
}
