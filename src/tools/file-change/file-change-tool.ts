import type { Json, ToolDefinition } from '#kernel';
import { diffText, type Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { Tool, ToolContext } from '../contract.ts';
import { workspacePath } from '../paths/workspace-path.ts';
import { baseOf, type FileChangePlan, prepareFileChange, settleFileChange } from './file-change.ts';

/**
 * A tool that changes one file. `plan` works the change out from the file as it is now and changes nothing; it is asked
 * again right before the start, so what runs is what the world then is, or nothing.
 */
export function fileChangeTool(
  workspace: Workspace,
  definition: ToolDefinition,
  plan: (args: Json, context: ToolContext) => Promise<FileChangePlan>,
): Tool {
  return {
    definition,
    classify: (args) => ({
      effect: 'file',
      paths: [workspacePath(workspace.root, readArguments(args).text('file_path') ?? '')],
    }),
    inspect: async (args, context) => {
      const planned = await plan(args, context);
      if (!planned.ok) return planned;
      const { path, before, after, alike } = planned.change;
      return {
        ok: true,
        base: baseOf(planned.change),
        preview: cutPreview(await diffText(path, before, after, alike)),
      };
    },
    prepare: async (args, context) => {
      const planned = await plan(args, context);
      return planned.ok ? prepareFileChange(workspace, planned.change, context) : planned;
    },
    settle: (_args, base, context) => settleFileChange(workspace, base, context),
  };
}

/** More than a person reads, and little enough to be kept with the question. */
const previewMax = 200_000;

export function cutPreview(diff: string): string {
  return diff.length <= previewMax
    ? diff
    : `${diff.slice(0, previewMax)}\n[… ${diff.length - previewMax} more characters of this diff are not shown]\n`;
}
