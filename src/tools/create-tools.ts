import { everythingRead, type UnreadFiles } from '#permission';
import type { Workspace } from '#workspace';
import { createApplyPatchTool } from './apply-patch/apply-patch-tool.ts';
import { createBashTool } from './bash/bash-tool.ts';
import { createCommitTool } from './commit/commit-tool.ts';
import type { Tool } from './contract.ts';
import { createEditTool } from './edit/edit-tool.ts';
import { createGlobTool } from './glob/glob-tool.ts';
import { createGrepTool } from './grep/grep-tool.ts';
import { createEnterPlanModeTool } from './plan-mode/enter-plan-mode-tool.ts';
import { createExitPlanModeTool } from './plan-mode/exit-plan-mode-tool.ts';
import { createReadTool } from './read/read-tool.ts';
import { createSymbolsTool } from './symbols/symbols-tool.ts';
import type { OutputArchive } from './task/output-source.ts';
import { createTaskTable, type TaskTable } from './task/task-table.ts';
import { createTaskOutputTool } from './task-output/task-output-tool.ts';
import { createTaskStopTool } from './task-stop/task-stop-tool.ts';
import { createTestTool } from './test/test-tool.ts';
import { createTodoWriteTool } from './todo-write/todo-write-tool.ts';
import { createWriteTool } from './write/write-tool.ts';

/** What tools need of the session beside the call at hand. */
export interface SessionTools {
  readonly tasks: TaskTable;
  readonly archive: OutputArchive;
}

/** Without a session nothing of earlier calls is kept. */
const withoutSession = (workspace: Workspace): SessionTools => ({
  tasks: createTaskTable(workspace, { folder: () => '', putBlob: async () => '' }),
  archive: { find: async () => null },
});

/** The tools of a session in a workspace, in the order in which a model is shown them. Searches leave `unread` files out. */
export const createTools = (
  workspace: Workspace,
  { tasks, archive }: SessionTools = withoutSession(workspace),
  unread: UnreadFiles = everythingRead,
): readonly Tool[] => [
  createReadTool(workspace),
  createEditTool(workspace),
  createWriteTool(workspace),
  createApplyPatchTool(workspace),
  createBashTool(workspace, tasks),
  createTaskOutputTool(workspace, tasks, archive),
  createTaskStopTool(workspace, tasks, archive),
  createGrepTool(workspace, unread),
  createGlobTool(workspace),
  createSymbolsTool(workspace, unread),
  createTodoWriteTool(),
  createTestTool(workspace),
  createCommitTool(workspace),
  createEnterPlanModeTool(),
  createExitPlanModeTool(),
];
