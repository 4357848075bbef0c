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
export { createRegistry } from './registry/create-registry.ts';
