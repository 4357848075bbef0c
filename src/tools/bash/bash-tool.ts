import { type Check, type Failure, type Json, makeFailure, type ToolDefinition } from '#kernel';
import { findDeclaredCheck } from '#permission';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import { prepareChecks, settleChecks } from '../check-runner/check-attempt.ts';
import type { AttemptContext, Preparation, Tool, ToolContext } from '../contract.ts';
import { prepareProcess, settlingOf, timeoutMax } from '../process/attempt-process.ts';
import { isUnsandboxed, leavesSandbox } from '../process/sandbox-lines.ts';
import { onlyReads } from '../read-only/only-reads.ts';
import type { TaskTable } from '../task/task-table.ts';
import { prepareBackground, settleBackground } from './background.ts';
import { commandOutcome } from './command-outcome.ts';
import { needsTerminal } from './needs-terminal.ts';
import { chooseFolder, type WorkingFolder } from './working-folder.ts';

const timeouts = { default: 120_000, max: timeoutMax } as const;

const definition: ToolDefinition = {
  name: 'Bash',
  description: 'Run a shell command: a new shell each time, no input.',
  inputSchema: {
    type: 'object',
    properties: {
      command: { type: 'string' },
      timeout: { type: 'integer', minimum: 1, maximum: timeouts.max, description: 'ms, default 120000' },
      description: { type: 'string' },
      cwd: { type: 'string', description: 'stays for later calls' },
      run_in_background: { type: 'boolean' },
      separate_output: { type: 'boolean', description: 'stdout, then stderr' },
      unsandboxed: { type: 'boolean', description: 'outside the sandbox, if there is one: asks the user' },
    },
    required: ['command'],
  },
};

/**
 * A command is of class `process`, unless it is known to do nothing but read. A declared check is run as `Test` runs it.
 */
export function createBashTool(workspace: Workspace, tasks: TaskTable): Tool {
  return {
    definition,
    classify: async (args) => ({ effect: (await isReading(workspace, args)) ? 'read' : 'process', paths: null }),
    inspect: async (args, context) => {
      const command = commandOf(args);
      const failure = await refusal(args);
      if (failure !== null) return { ok: false, failure };
      const chosen = await chooseFolder(workspace, args, context);
      if (!chosen.ok) return chosen;
      const { path } = chosen.folder;
      // A person who decides about a command must know where it will run.
      const where = `${path === '.' ? '' : `\n(in ${path})`}${isBackground(args) ? '\n(in the background)' : ''}`;
      const preview = `${command}${where}${leavesSandbox(workspace, args) ? outside(args) : ''}`;
      return path === '.' ? { ok: true, preview } : { ok: true, preview, base: path };
    },
    prepare: async (args, context) => {
      // Also of a call that nobody was asked about.
      const failure = await refusal(args);
      if (failure !== null) return { ok: false, failure };
      if (isBackground(args)) return prepareBackground(workspace, tasks, args, context);
      const check = await declared(args, context);
      if (check === null || isUnsandboxed(args)) return prepareCommand(workspace, args, context);
      const todo = { checks: [check], declared: true, timeoutMs: timeoutOf(args), commandText: commandOf(args) };
      return prepareChecks(workspace, todo, context);
    },
    settle: async (args, base, context) => {
      if (isBackground(args)) return settleBackground(workspace, args, base, context);
      const check = await declared(args, context);
      if (check !== null && !isUnsandboxed(args)) {
        return settleChecks(workspace, { checks: [check], declared: true, timeoutMs: timeoutOf(args) }, base, context);
      }
      const request = { ...requestOf(args, context), cwd: workspace.root, bootId: context.bootId };
      const result = await workspace.processes.settle(request);
      const settling = settlingOf(result);
      if (result.state === 'not-started') return { state: 'not-started', settling };
      const path = readArguments(base ?? {}).text('cwd') ?? '.';
      const folder: WorkingFolder = { path, absolute: '', note: null };
      return { state: 'settled', outcome: { ...commandOutcome(result, timeoutOf(args), context, folder), settling } };
    },
  };
}

/** Why a command is not run whoever allows it. */
async function refusal(args: Json): Promise<Failure | null> {
  const command = commandOf(args);
  if (command.trim() === '') return noCommand;
  if (isBackground(args) && readArguments(args).flag('separate_output')) return separateInBackground;
  return command.includes('\0') ? nulInCommand : needsTerminal(command);
}

const noCommand = makeFailure('precondition', 'The command is empty.', 'Send the command to run.');
const separateInBackground = makeFailure(
  'precondition',
  'The output of a command in the background is one stream.',
  'Leave separate_output out, or send one of the streams to a file in the command.',
);
const nulInCommand = makeFailure('precondition', 'A command cannot contain a NUL byte.', 'Send it without.');

const commandOf = (args: Json): string => readArguments(args).text('command') ?? '';
const timeoutOf = (args: Json): number => readArguments(args).number('timeout') ?? timeouts.default;
/** Any argument beside the text, its limit and its description changes what the call does. */
const isReading = async (workspace: Workspace, args: Json): Promise<boolean> =>
  args !== null &&
  typeof args === 'object' &&
  Object.keys(args).every((name) => ['command', 'timeout', 'description'].includes(name)) &&
  onlyReads(workspace, commandOf(args));

const isBackground = (args: Json): boolean => readArguments(args).flag('run_in_background');

/** Why it must be so is what the model says the command is for. */
function outside(args: Json): string {
  const why = readArguments(args).text('description') ?? '';
  return `\n(outside the sandbox${why === '' ? '' : `: ${why}`})`;
}

/** A check is what the user declared only where the user meant it to run: in the root. */
const declared = async (args: Json, context: ToolContext): Promise<Check | null> =>
  (readArguments(args).text('cwd') ?? context.state().cwd) === '.'
    ? findDeclaredCheck(commandOf(args), context.state().settings.checks)
    : null;

const requestOf = (args: Json, context: AttemptContext) => ({
  execFolder: context.execFolder,
  attemptId: context.attemptId,
  actionId: context.actionId,
  timeoutMs: timeoutOf(args),
  signal: context.signal,
  unconfined: isUnsandboxed(args),
  onOutput: context.onOutput,
});

async function prepareCommand(workspace: Workspace, args: Json, context: AttemptContext): Promise<Preparation> {
  const chosen = await chooseFolder(workspace, args, context);
  if (!chosen.ok) return chosen;
  const { folder } = chosen;
  const prepared = await prepareProcess(workspace, {
    ...requestOf(args, context),
    cwd: folder.absolute,
    command: commandOf(args),
    ...(readArguments(args).flag('separate_output') ? { separate: true } : {}),
  });
  if (!prepared.ok) return prepared;
  return {
    ok: true,
    attempt: {
      deadlineMs: timeoutOf(args),
      ...(folder.path === '.' ? {} : { base: { cwd: folder.path } }),
      run: async () => commandOutcome(await prepared.process.start(), timeoutOf(args), context, folder),
      discard: () => prepared.process.discard(),
    },
  };
}
