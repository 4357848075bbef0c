export type {
  AnswerPart,
  Message,
  MessagePart,
  ModelAnswer,
  ModelDelta,
  ModelRequest,
  ModelResult,
  ToolDefinition,
} from './conversation.ts';
export type * from './facts.ts';
export { factTypes, isFactType } from './facts.ts';
export { makeFailure, signatureOf } from './failure.ts';
export type {
  BudgetUse,
  Claim,
  Evidence,
  OpenAction,
  Pause,
  Plan,
  Settings,
  State,
  Totals,
  Turn,
  Unknown,
  World,
} from './state.ts';
export { initialState } from './state.ts';
