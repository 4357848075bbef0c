export { blobsOf } from './blobs-of.ts';
export { type LimitName, type Trip, tripped } from './budget.ts';
export { type CheckStanding, type CompletionReason, judge, standings } from './completion.ts';
export { conflicts } from './conflict.ts';
export { type ContractEvent, type ContractEventType, contractEventTypes, contractView } from './contract-events.ts';
export type {
  AnswerPart,
  Message,
  MessagePart,
  ModelAnswer,
  ModelDelta,
  ModelRequest,
  ModelResult,
  StreamedCall,
  ToolDefinition,
} from './conversation.ts';
export { decide, resumableTo, splitReason } from './decide.ts';
export { isAlone } from './evolve/world.ts';
export { evolve, fold } from './evolve.ts';
export type * from './facts.ts';
export { factTypes, isFactType } from './facts.ts';
export { makeFailure, signatureOf } from './failure.ts';
export { type FineState, fineState } from './fine-state.ts';
export { type BegunAttempt, closeAfterImport, closeAfterRepair, lostHooks, lostTasks } from './lost-calls.ts';
export { isAtHost, mayHaveRun } from './may-have-run.ts';
export { isPull, type Next, type Perform, type PullNext } from './next.ts';
export { type IllegalMove, isActive, transition } from './phases.ts';
export { type ProgressFinding, progressLimits, stalled } from './progress.ts';
export { seenFiles, seenHash } from './seen.ts';
export type {
  BudgetUse,
  Claim,
  Evidence,
  OpenAction,
  Pause,
  Plan,
  Settings,
  State,
  Task,
  Totals,
  Turn,
  Undo,
  Undone,
  Unknown,
  World,
} from './state.ts';
export { initialState } from './state.ts';
export { type Change, changesByRound, type Points, type Side, type Stretch, same } from './undo/changes-by-round.ts';
export { hiddenRanges, isHidden, type Range } from './undo/hidden.ts';
export { type FilePlan, lastChange, planFiles } from './undo/plan-files.ts';
export { type Round, roundAt, roundsOf } from './undo/rounds.ts';
