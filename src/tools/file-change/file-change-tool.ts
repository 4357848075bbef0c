import type { Json, ToolDefinition } from '#kernel';
import { diffAround, diffText, type Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { Tool, ToolContext } from '../contract.ts';
import { touchedPaths } from '../paths/touched-paths.ts';
import { baseOf, type FileChangePlan, prepareFileChange, settleFileChange } from './file-change.ts';

/**
 * A tool that changes files. `plan` works the changes out from the files as they are now and changes nothing; it is
 * asked again right before the start, so what runs is what the world then is, or nothing. `paths`: what the arguments
 * name, null where that cannot be told.
 */
export function fileChangeTool(
  workspace: Workspace,
  definition: ToolDefinition,
  plan: (args: Json, context: ToolContext) => Promise<FileChangePlan>,
  paths: (args: Json) => readonly string[] | null = (args) => [readArguments(args).text('file_path') ?? ''],
): Tool {
  return {
    definition,
    classify: async (args) => {
      const named = paths(args);
      return { effect: 'file', paths: named === null ? null : await touchedPaths(workspace, named) };
    },
    inspect: async (args, context) => {
      const planned = await plan(args, context);
      if (!planned.ok) return planned;
      const diffs: string[] = [];
      for (const change of planned.changes) {
        const { path, around } = change;
        diffs.push(
          await (around === undefined ? diffText(path, change.before, change.after) : diffAround(path, around)),
        );
      }
      return { ok: true, base: baseOf(planned), preview: cutPreview(diffs.join('')) };
    },
    prepare: async (args, context) => {
      const planned = await plan(args, context);
      return planned.ok ? prepareFileChange(workspace, planned, context) : planned;
    },
    settle: (_args, base, context) => settleFileChange(workspace, base, context),
  };
}

/** More than a person reads, and little enough to be kept with the question. */
const previewMax = 200_000;

function cutPreview(diff: string): string {
  return diff.length <= previewMax
    ? diff
    : `${diff.slice(0, previewMax)}\n[… ${diff.length - previewMax} more characters of this diff are not shown]\n`;
}
