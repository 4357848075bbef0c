import { type Failure, type Json, makeFailure, type Task, type ToolDefinition } from '#kernel';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { AttemptContext, Tool, ToolOutcome } from '../contract.ts';
import { failed, readTool } from '../outcome.ts';
import { endOf, nextInBackground } from '../process/attempt-process.ts';
import { sandboxLines } from '../process/sandbox-lines.ts';
import { actionIdOf, type OutputArchive, readTask, runningTask } from '../task/output-source.ts';
import { showOutput } from '../task/show-output.ts';
import type { TaskTable } from '../task/task-table.ts';
import { type Waited, waitFor } from '../task/wait-for.ts';
import { unmasked } from '../text/masked-part.ts';
import { preview } from '../text/preview.ts';

/** Characters of a command where it is named. */
const commandLength = 400;

const waitMs = { default: 30_000, max: 600_000 } as const;

const definition: ToolDefinition = {
  name: 'TaskOutput',
  deferred: true,
  description: 'Output of an earlier Bash call; of a background one, once it ended.',
  inputSchema: {
    type: 'object',
    properties: {
      task_id: { type: 'string' },
      block: { type: 'boolean' },
      timeout: { type: 'integer', description: 'ms' },
      wait_for: { type: 'string', description: 'until a line matches this regex' },
      offset: { type: 'integer', minimum: 0 },
    },
    required: ['task_id'],
  },
};

/** Shows output by range. An end that it sees is recorded with its result, so that it is told once. */
export function createTaskOutputTool(workspace: Workspace, tasks: TaskTable, archive: OutputArchive): Tool {
  return readTool({
    definition,
    paths: () => [],
    run: async (args, context) => {
      const actionId = actionIdOf(readArguments(args).text('task_id') ?? '');
      const offset = readArguments(args).number('offset');
      const task = runningTask(context.state(), actionId);
      if (task !== null) return showTask(workspace, tasks, task, args, context);
      const recorded = await archive.find(actionId);
      if (recorded === null) return failed(unknownTask(context));
      const text = await showOutput((from, max) => recorded.read(from, max), offset, context.mask ?? unmasked);
      return { status: 'succeeded', output: `${text}\n${recorded.end}` };
    },
  });
}

async function showTask(
  workspace: Workspace,
  tasks: TaskTable,
  task: Task,
  args: Json,
  context: AttemptContext,
): Promise<ToolOutcome> {
  const given = readArguments(args);
  const one = tasks.take(task);
  const read = (from: number, max: number) => readTask(tasks, task, from, max);
  const offset = given.number('offset');
  const waited: Waited = isWaiting(args)
    ? await waitFor(workspace, {
        task: one,
        read,
        pattern: given.text('wait_for'),
        from: offset ?? 0,
        timeoutMs: Math.min(given.number('timeout') ?? waitMs.default, waitMs.max),
        signal: context.signal,
      })
    : { ok: true, reason: 'time' };
  if (!waited.ok) return failed(waited.failure);
  const { size } = read(0, 0);
  const text = await showOutput(async (from, max) => read(from, max), offset, context.mask ?? unmasked);
  const result = one.result();
  const matched = foundLine(waited);
  if (result === null) {
    const later = waited.reason === 'matched' ? [laterLine(size)] : [];
    return { status: 'succeeded', output: [text, ...matched, stillRunning(task), ...later].join('\n') };
  }
  const { line } = endOf(result, task.timeoutMs, nextInBackground);
  return {
    status: 'succeeded',
    output: [text, ...matched, `ended: ${line}`, ...sandboxLines(result, text)].join('\n'),
    ...(result.exitCode === null ? {} : { data: { exitCode: result.exitCode } }),
    facts: [await tasks.endFact(task.actionId, result, true)],
  };
}

function foundLine(waited: Waited): readonly string[] {
  if (waited.ok && waited.reason === 'matched') return [`matched: ${waited.line}`];
  if (!waited.ok || waited.reason !== 'partly') return [];
  const { searched } = waited;
  return [
    `wait_for: no match in the first ${searched} bytes, and then the time was over; go on with offset ${searched}`,
  ];
}

/** What a watcher prints after each change is the same line: without the place the one before would be found again. */
const laterLine = (size: number): string => `(to wait for a later line, give offset ${size})`;

/** With the time, so that looking again is seen to be waiting and not the same thing over and over. */
const stillRunning = ({ startedAt, command }: Task): string =>
  `still running after ${((Date.now() - startedAt) / 1000).toFixed(3)} s: ${preview(command, commandLength).text}`;

/** Waiting is the ordinary case, as it is for those who know such a tool elsewhere. */
function isWaiting(args: Json): boolean {
  const block =
    args !== null && typeof args === 'object' && !Array.isArray(args) ? (args as { block?: Json }).block : true;
  return block !== false;
}

export function unknownTask(context: AttemptContext): Failure {
  const running = context
    .state()
    .tasks.map(({ actionId, command }) => `call_${actionId} (${preview(command, commandLength).text})`);
  const next =
    running.length === 0
      ? 'Go on without it: no command runs in the background.'
      : `Name one that runs: ${running.join(', ')}.`;
  return makeFailure('not_found', 'There is no command with this task_id.', next);
}
