import { type Check, type Json, makeFailure, type ToolDefinition } from '#kernel';
import { findDeclaredCheck } from '#permission';
import type { ProcessResult, Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import { prepareChecks, settleChecks } from '../check-runner/check-attempt.ts';
import type { AttemptContext, Preparation, Tool, ToolContext, ToolOutcome } from '../contract.ts';
import { endOf, prepareProcess, provenanceOf, settlingOf } from '../process/attempt-process.ts';
import { cleanOutput } from '../text/clean-output.ts';
import { preview } from '../text/preview.ts';

const timeouts = { default: 120_000, max: 600_000 } as const;
/** Characters of output that the model is shown; the rest is kept beside the ledger. */
const previewLength = 30_000;

const definition: ToolDefinition = {
  name: 'Bash',
  description: 'Run a shell command in the workspace root: a new shell each time, no input.',
  inputSchema: {
    type: 'object',
    properties: {
      command: { type: 'string' },
      timeout: { type: 'integer', minimum: 1, maximum: timeouts.max, description: 'ms, default 120000' },
      description: { type: 'string' },
    },
    required: ['command'],
  },
};

/** Any command is of class `process`: what a text would do is not guessed. A declared check is run as `Test` runs it. */
export function createBashTool(workspace: Workspace): Tool {
  return {
    definition,
    classify: () => ({ effect: 'process', paths: null }),
    inspect: async (args) => {
      const command = commandOf(args);
      if (command.trim() === '') return { ok: false, failure: noCommand };
      return command.includes('\0') ? { ok: false, failure: nulInCommand } : { ok: true, preview: command };
    },
    prepare: async (args, context) => {
      const check = await declared(args, context);
      if (check === null) return prepareCommand(workspace, args, context);
      const todo = { checks: [check], declared: true, timeoutMs: timeoutOf(args), commandText: commandOf(args) };
      return prepareChecks(workspace, todo, context);
    },
    settle: async (args, base, context) => {
      const check = await declared(args, context);
      if (check !== null) {
        return settleChecks(workspace, { checks: [check], declared: true, timeoutMs: timeoutOf(args) }, base, context);
      }
      const request = { ...requestOf(workspace, args, context), bootId: context.bootId };
      const result = await workspace.processes.settle(request);
      const settling = settlingOf(result);
      if (result.state === 'not-started') return { state: 'not-started', settling };
      return { state: 'settled', outcome: { ...commandOutcome(result, timeoutOf(args)), settling } };
    },
  };
}

const noCommand = makeFailure('precondition', 'The command is empty.', 'Send the command to run.');
const nulInCommand = makeFailure('precondition', 'A command cannot contain a NUL byte.', 'Send it without.');

const commandOf = (args: Json): string => readArguments(args).text('command') ?? '';
const timeoutOf = (args: Json): number => readArguments(args).number('timeout') ?? timeouts.default;

const declared = (args: Json, context: ToolContext): Promise<Check | null> =>
  findDeclaredCheck(commandOf(args), context.state().settings.checks);

const requestOf = (workspace: Workspace, args: Json, context: AttemptContext) => ({
  cwd: workspace.root,
  execFolder: context.execFolder,
  attemptId: context.attemptId,
  actionId: context.actionId,
  timeoutMs: timeoutOf(args),
  signal: context.signal,
  onOutput: context.onOutput,
});

async function prepareCommand(workspace: Workspace, args: Json, context: AttemptContext): Promise<Preparation> {
  const prepared = await prepareProcess(workspace, {
    ...requestOf(workspace, args, context),
    command: commandOf(args),
  });
  if (!prepared.ok) return prepared;
  return {
    ok: true,
    attempt: {
      deadlineMs: timeoutOf(args),
      run: async () => commandOutcome(await prepared.process.start(), timeoutOf(args)),
      discard: () => prepared.process.discard(),
    },
  };
}

function commandOutcome(result: ProcessResult, timeoutMs: number): ToolOutcome {
  const end = endOf(result, timeoutMs);
  const shown = preview(cleanOutput(result.output).trimEnd(), previewLength);
  const text = shown.text.trim() === '' ? '(no output)' : shown.text;
  const missing =
    result.omitted === null
      ? ''
      : `\n[${result.omitted.bytes} bytes in the middle were not kept; write to a file and read that for all of them]`;
  return {
    status: end.status,
    output: `${text}${missing}\n${end.line}`,
    provenance: provenanceOf(result),
    ...(end.failure === undefined ? {} : { failure: end.failure }),
    ...(end.data === undefined ? {} : { data: end.data }),
    ...(result.exitCode === null ? {} : { exitCode: result.exitCode }),
    ...(shown.omitted > 0 ? { full: result.output } : {}),
  };
}
