/** What a command has to do with the sandbox: whether it asks to leave it, and what the model is told afterwards. */
import type { Json } from '#kernel';
import { explainFailure } from '#permission';
import type { ProcessResult, Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';

export const isUnsandboxed = (args: Json): boolean => readArguments(args).flag('unsandboxed');

/** Where there is no sandbox, there is nothing to leave. */
export const leavesSandbox = (workspace: Workspace, args: Json): boolean =>
  isUnsandboxed(args) && workspace.processes.isConfined();

/** What was put away is always told; what the sandbox may have to do with a failure, where something shows it. */
export function sandboxLines(result: ProcessResult, output: string): readonly string[] {
  if (result.confined === undefined) return [];
  const why = explainFailure(output, result.confined.network, result.exitCode !== 0);
  return [...result.confined.putAway, ...(why === null ? [] : [why])];
}
