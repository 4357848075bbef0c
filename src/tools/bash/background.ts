/** A command that goes on after its call: the call is over as soon as it started, and its end is told by a fact. */
import { type Json, makeFailure, type Settling } from '#kernel';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { AttemptContext, Preparation, Settlement, ToolOutcome } from '../contract.ts';
import { prepareProcess } from '../process/attempt-process.ts';
import { isUnsandboxed } from '../process/sandbox-lines.ts';
import { TASKS_MAX, type TaskTable } from '../task/task-table.ts';
import { chooseFolder, folderChange, folderLine, type WorkingFolder } from './working-folder.ts';

/** Without a limit of its own a background command is stopped after this time. */
const LIMIT_MS = 24 * 60 * 60 * 1000;

const tooMany = makeFailure(
  'precondition',
  `${TASKS_MAX} commands run in the background already.`,
  'Stop one with TaskStop, or wait for its end with TaskOutput.',
);

const stopped: ToolOutcome = {
  status: 'cancelled',
  output: 'The run was stopped before this command began; nothing was started.',
  failure: makeFailure('cancelled', 'The run was stopped before this began.', 'Call it again if it is still needed.'),
};

const limitOf = (args: Json): number => readArguments(args).number('timeout') ?? LIMIT_MS;
const commandOf = (args: Json): string => readArguments(args).text('command') ?? '';

export async function prepareBackground(
  workspace: Workspace,
  tasks: TaskTable,
  args: Json,
  context: AttemptContext,
): Promise<Preparation> {
  if (context.state().tasks.length >= TASKS_MAX) return { ok: false, failure: tooMany };
  const chosen = await chooseFolder(workspace, args, context);
  if (!chosen.ok) return chosen;
  const { actionId, attemptId, execFolder } = context;
  // Its own signal: it goes on when the turn is cancelled.
  const stop = new AbortController();
  const started = Promise.withResolvers<void>();
  const prepared = await prepareProcess(workspace, {
    command: commandOf(args),
    cwd: chosen.folder.absolute,
    execFolder,
    attemptId,
    actionId,
    timeoutMs: limitOf(args),
    signal: stop.signal,
    onStarted: () => started.resolve(),
    unconfined: isUnsandboxed(args),
  });
  if (!prepared.ok) return prepared;
  return {
    ok: true,
    attempt: {
      deadlineMs: limitOf(args),
      base: { cwd: chosen.folder.path },
      async run() {
        // Once it runs a cancel leaves it alone, but none is overtaken by its start.
        if (context.signal.aborted) {
          stop.abort();
          await prepared.process.start();
          return stopped;
        }
        const task = tasks.follow(context, prepared.process.start(), stop);
        // Nothing is called started that a death of this process could still keep from starting.
        await Promise.race([started.promise, task.end]);
        return startedOutcome(args, context, chosen.folder);
      },
      discard: () => prepared.process.discard(),
    },
  };
}

/** Why it is not known whether it was started. */
const unsure = {
  'traces-gone': 'what it would have left was removed, and nothing of it is alive',
  'other-boot': 'the machine was restarted, and nothing shows that it began',
} as const;

/** An attempt that nobody saw start. Whoever holds its claim is followed; how it ends is told as of any other. */
export async function settleBackground(
  workspace: Workspace,
  args: Json,
  base: Json | null,
  context: AttemptContext,
): Promise<Settlement> {
  const { actionId, attemptId, execFolder, bootId, signal } = context;
  const request = { cwd: workspace.root, execFolder, attemptId, actionId, bootId, signal, timeoutMs: limitOf(args) };
  const state = await workspace.processes.settleStart(request);
  if (state === 'not-started') {
    return { state, settling: { probe: 'claim', observed: 'free, and revoked now', verdict: 'not-started' } };
  }
  if (state !== 'begun') {
    const evidence = unsure[state];
    const output = `It is not known whether this command was started: ${evidence}. Look at the present state; do not assume either.`;
    const settling: Settling = { probe: 'claim', observed: evidence, verdict: 'unknown' };
    return { state: 'settled', outcome: { status: 'unknown', output, data: { evidence }, settling } };
  }
  const path = readArguments(base ?? {}).text('cwd') ?? '.';
  const settling: Settling = { probe: 'claim', observed: 'taken: it was started', verdict: 'applied' };
  const outcome = startedOutcome(args, context, { path, absolute: '', note: null });
  return { state: 'settled', outcome: { ...outcome, settling } };
}

function startedOutcome(args: Json, context: AttemptContext, folder: WorkingFolder): ToolOutcome {
  const { actionId, attemptId } = context;
  const where = folderLine(folder);
  const text = `Started in the background as task call_${actionId}. You are told when it ends; look with TaskOutput, stop it with TaskStop.`;
  return {
    status: 'succeeded',
    output: where === null ? text : `${text}\n${where}`,
    ...folderChange(folder, context),
    facts: [
      {
        type: 'task.started',
        actionId,
        attemptId,
        command: commandOf(args),
        ...(folder.path === '.' ? {} : { cwd: folder.path }),
        timeoutMs: limitOf(args),
      },
    ],
  };
}
