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
export { createTools } from './create-tools.ts';
export type { OwnAnswer, OwnCall, OwnResult, OwnTool } from './own/contract.ts';
export { ownTool } from './own/own-tool.ts';
export { createRegistry } from './registry/create-registry.ts';
