/** What a program that embeds Belay may import; everything else is private. `docs/guide.md` shows how. */

export * from '#kernel';
export {
  type Ledger,
  LedgerError,
  type LedgerErrorCode,
  type LedgerReport,
  memoryLedger,
  openStore,
  type Store,
} from '#ledger';
export type { Result } from '#lib';
export type { Model, ModelConfigProblem } from '#model';
export type { OwnContext, OwnPermission, OwnVerdict } from '#permission';
export {
  type ApprovalRace,
  type AskedCall,
  type Clock,
  createHooks,
  createSession,
  type Delta,
  HookAbort,
  type HookHandler,
  type Hooks,
  type HookTopic,
  type HostCall,
  hookTopics,
  type ListPlanner,
  type ModelPlanner,
  type PermissionPort,
  type Planner,
  type Pull,
  pause,
  type RaceResult,
  type RaceTurn,
  type ResumePayload,
  raceApproval,
  replan,
  type SafetyClassifier,
  type Session,
  SessionError,
  type SessionErrorCode,
  type SessionPorts,
  type StepDraft,
  type StepResult,
  skip,
  stepResults,
  type ToolsPort,
} from '#runtime';
export type { OpenedSession, Problem, SettingsChange } from '#surfaces/cli';
export { exitCodes, resultObject, type Standing, standingOf } from '#surfaces/view';
export type { OwnAnswer, OwnCall, OwnResult, OwnTool } from '#tools';
export { createLoop, type LocalTool, type LoopOptions, localTools } from './create-loop.ts';
export { openRepositorySession, type RepositoryOptions, startRepositorySession } from './repository-session.ts';
export type { EnvironmentSettings } from './settings/environment-settings.ts';
export { version } from './version.ts';
