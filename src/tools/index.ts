export type {
  AttemptContext,
  CallProfile,
  Inspection,
  Preparation,
  ReadyAttempt,
  Settlement,
  Tool,
  ToolContext,
  ToolOutcome,
  ToolRegistry,
} from './contract.ts';
export { createTools, type SessionTools } from './create-tools.ts';
export type { OwnAnswer, OwnCall, OwnResult, OwnTool } from './own/contract.ts';
export { ownTool } from './own/own-tool.ts';
export { onlyReads } from './read-only/only-reads.ts';
export { createRegistry } from './registry/create-registry.ts';
export type { OutputArchive, RecordedOutput } from './task/output-source.ts';
export { createTaskTable, type TaskTable } from './task/task-table.ts';
export { withToolSearch } from './tool-search/tool-search-tool.ts';
