export { addWorktree, removeWorktree } from './checkpoint/add-worktree.ts';
export { isAttemptAlive } from './checkpoint/attempt-alive.ts';
export {
  type CheckpointLimits,
  type CheckpointOptions,
  openCheckpoints,
  pointLimits,
} from './checkpoint/open-checkpoints.ts';
export { openRestorer, type RestorerOptions } from './checkpoint/open-restorer.ts';
export { prepareMark, revokeClaim, revokeUnlessTaken, settleClaim, takeClaim, takeMarkedClaim } from './claim.ts';
export type * from './contract.ts';
export { type BaseStoreOptions, openBaseStore } from './diff/base-store.ts';
export { diffAround, diffText, type PartialChange } from './diff/diff-text.ts';
export { editLock } from './files/edit-lock.ts';
export { hugeSizeOf } from './files/huge-file.ts';
export { readRegular, WRITE_ANEW } from './files/read-regular.ts';
export { type AllowProxy, openAllowProxy } from './network/allow-proxy.ts';
export { WAY_OUT_PORT } from './network/way-out.ts';
export { openWorkspace } from './open-workspace.ts';
export { attemptTags, begunAttempts } from './process/begun-attempts.ts';
export { closeInheritedDescriptors } from './process/close-descriptors.ts';
export { commandEnv, toolEnv } from './process/command-env.ts';
export { keepOutput, type OutputPart, readKeptOutput, readOutput } from './process/kept-output.ts';
export { passedVariables, passFault } from './process/passed-variables.ts';
export { type FindProgram, programFinder } from './process/programs.ts';
export {
  type Foreground,
  type ForegroundOptions,
  runForeground,
  startForeground,
} from './process/run-foreground.ts';
export { runTool, type ToolOptions, type ToolResult } from './process/run-tool.ts';
export { GIT_READING_OPTIONS, gitReadingEnv } from './revision/read-git.ts';
export { ripgrepProgram } from './search/ripgrep-program.ts';
export { ruleOptions } from './search/rule-options.ts';
export { isStrange, type RuleKind, type StrangeRule, strangeRules } from './search/strange-rules.ts';
export { encodingsFor } from './search/text-encodings.ts';
export { WorkspaceError } from './workspace-error.ts';
