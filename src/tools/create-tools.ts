import type { Workspace } from '#workspace';
import { createBashTool } from './bash/bash-tool.ts';
import { createCommitTool } from './commit/commit-tool.ts';
import type { Tool } from './contract.ts';
import { createEditTool } from './edit/edit-tool.ts';
import { createGlobTool } from './glob/glob-tool.ts';
import { createGrepTool } from './grep/grep-tool.ts';
import { createEnterPlanModeTool } from './plan-mode/enter-plan-mode-tool.ts';
import { createExitPlanModeTool } from './plan-mode/exit-plan-mode-tool.ts';
import { createReadTool } from './read/read-tool.ts';
import { createTestTool } from './test/test-tool.ts';
import { createTodoWriteTool } from './todo-write/todo-write-tool.ts';
import { createWriteTool } from './write/write-tool.ts';

/** The tools of a session in a workspace, in the order in which a model is shown them. */
export const createTools = (workspace: Workspace): readonly Tool[] => [
  createReadTool(workspace),
  createEditTool(workspace),
  createWriteTool(workspace),
  createBashTool(workspace),
  createGrepTool(workspace),
  createGlobTool(workspace),
  createTodoWriteTool(),
  createTestTool(workspace),
  createCommitTool(workspace),
  createEnterPlanModeTool(),
  createExitPlanModeTool(),
];
