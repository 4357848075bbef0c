export type {
  Clock,
  Delta,
  ExecPort,
  GuardPort,
  HostCall,
  InboxPort,
  LedgerPort,
  ListPlanner,
  Loss,
  MaskPort,
  ModelPlanner,
  OutsideMessage,
  PermissionPort,
  Planner,
  PreparedAttempt,
  Pull,
  ResumePayload,
  Session,
  SessionPorts,
  StepDraft,
  StepResult,
  TasksPort,
  ToolAttempt,
  ToolCall,
  ToolResult,
  ToolsPort,
  WorldPort,
} from './contract.ts';
export { stepResults } from './history.ts';
export {
  askPerson,
  createHooks,
  HookAbort,
  type HookHandler,
  type HookRecord,
  type HookReturn,
  type Hooks,
  type HookTopic,
  hookTopics,
  pause,
  replan,
  type Sentinel,
  skip,
} from './hooks.ts';
export { createMailbox, type Mailbox, messageTypes } from './mailbox.ts';
export { closedWords } from './perform/end.ts';
export { reconcile } from './perform/reconcile.ts';
export {
  type ApprovalRace,
  type AskedCall,
  type RaceResult,
  type RaceTurn,
  raceApproval,
  type SafetyClassifier,
} from './race-approval.ts';
export type { Settler } from './run.ts';
export { createSession, SessionError, type SessionErrorCode } from './session.ts';
