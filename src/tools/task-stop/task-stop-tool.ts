import { makeFailure, type ToolDefinition } from '#kernel';
import type { ProcessResult, Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { Tool, ToolOutcome } from '../contract.ts';
import { failed } from '../outcome.ts';
import { endOf, nextInBackground } from '../process/attempt-process.ts';
import { sandboxLines } from '../process/sandbox-lines.ts';
import { actionIdOf, type OutputArchive, readTask, runningTask } from '../task/output-source.ts';
import { showOutput } from '../task/show-output.ts';
import type { TaskTable } from '../task/task-table.ts';
import { unknownTask } from '../task-output/task-output-tool.ts';
import { unmasked } from '../text/masked-part.ts';
import { processList } from '../text/process-list.ts';

const definition: ToolDefinition = {
  name: 'TaskStop',
  deferred: true,
  description: 'Stop a background command and what it started.',
  inputSchema: { type: 'object', properties: { task_id: { type: 'string' } }, required: ['task_id'] },
};

/** Stopping what is stopped changes nothing, so an attempt left behind is simply run again. */
export function createTaskStopTool(workspace: Workspace, tasks: TaskTable, archive: OutputArchive): Tool {
  return {
    definition,
    classify: () => ({ effect: 'query', paths: [] }),
    inspect: async () => ({ ok: true }),
    prepare: async (args, context) => ({
      ok: true,
      attempt: {
        discard: async () => {},
        async run(): Promise<ToolOutcome> {
          const actionId = actionIdOf(readArguments(args).text('task_id') ?? '');
          const task = runningTask(context.state(), actionId);
          if (task === null) {
            const recorded = await archive.find(actionId);
            if (recorded === null) return failed(unknownTask(context));
            // Its shell is over, which says nothing of what it left behind.
            const left = await workspace.processes.stopLeft([recorded.attemptId]);
            if (left.length > 0) {
              return { status: 'succeeded', output: `stopped what was still alive of it: ${processList(left)}` };
            }
            const why = `It is not running any more: ${recorded.end}`;
            return failed(makeFailure('precondition', why, 'Its output is shown by TaskOutput.'));
          }
          const one = tasks.take(task);
          const result = await one.stop('by TaskStop');
          const read = async (from: number, max: number) => readTask(tasks, task, from, max);
          const text = await showOutput(read, undefined, context.mask ?? unmasked);
          const line =
            result.state === 'cancelled'
              ? stoppedLine(result)
              : `${endOf({ ...result, leftAlive: [] }, task.timeoutMs, nextInBackground).line}${leftText(result)}`;
          const facts = [await tasks.endFact(actionId, result, true)];
          return { status: 'succeeded', output: [text, line, ...sandboxLines(result, text)].join('\n'), facts };
        },
      },
    }),
    settle: async () => ({
      state: 'not-started',
      settling: { probe: 'record', observed: 'stopping twice is stopping once', verdict: 'repeatable' },
    }),
  };
}

/** Only what has process ids of its own can leave nothing behind. */
const stoppedLine = ({ stopLevel }: ProcessResult): string =>
  stopLevel === 'pidns' ? 'stopped, with all it started' : 'stopped, with what could be found of it';

const leftText = ({ leftAlive }: ProcessResult): string =>
  leftAlive.length === 0 ? '' : `; what it had left running was stopped: ${processList(leftAlive)}`;
