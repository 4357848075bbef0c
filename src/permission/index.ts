export type {
  Loss,
  NarrowingRules,
  Permission,
  PermissionCall,
  PermissionContext,
  PermissionDecision,
  PermissionPorts,
} from './contract.ts';
export { createPermission } from './create-permission.ts';
export { checksOfTest, findDeclaredCheck } from './declared-check.ts';
export { type CommandQuestion, type Explanation, explainCommand } from './explain-command.ts';
export { type SpelledOut, type Spelling, spelledOut } from './guard/spelled-out.ts';
export { type Decision, narrow } from './lattice.ts';
export {
  type OwnContext,
  type OwnPermission,
  type OwnVerdict,
  withOwnPermission,
} from './own/with-own-permission.ts';
export { isBareRepository } from './paths/bare-repository.ts';
export { isSecret } from './paths/sensitive.ts';
export { startingInHome, startingPlaces } from './paths/starting-names.ts';
export { isRepositoryInternal } from './repository-internals.ts';
export { parseRule } from './rules/parse-rule.ts';
export { compilePathGlob } from './rules/path-glob.ts';
export type { Rule } from './rules/rule.ts';
export { ruleWarning } from './rules/rule-warning.ts';
export { everythingRead, type UnreadFiles, unreadFiles } from './rules/unread-files.ts';
export { bubblewrapWords } from './sandbox/bubblewrap.ts';
export { keyringFilter } from './sandbox/call-filter.ts';
export { explainFailure } from './sandbox/explain-failure.ts';
export { type HostRule, reachOf, readHostRule } from './sandbox/host-rules.ts';
export {
  harmlessPlaces,
  hiddenFolders,
  maskedFiles,
  neverNewInGit,
  secretFiles,
  secretFolders,
  startingInGit,
  toolFolders,
} from './sandbox/places.ts';
export { type ConfinedWords, isBelow, isClear, type SandboxPolicy } from './sandbox/policy.ts';
export {
  mergeSandboxSettings,
  noSandboxSettings,
  readSandboxSettings,
  type SandboxMode,
  type SandboxSettings,
} from './sandbox/sandbox-settings.ts';
export { seatbeltWords } from './sandbox/seatbelt.ts';
export { createMasker, type Masker } from './secrets/create-masker.ts';
export { checkExamples } from './settings/check-examples.ts';
export { readSettings, type SettingsFile, type SettingsRules } from './settings/read-settings.ts';
export { unknownKeys } from './settings/unknown-keys.ts';
export { type PlainCommand, readPlainCommands } from './shell/plain-commands.ts';
export { readSimpleCommand } from './shell/simple-command.ts';
export { loadedByScript } from './trust/loaded-by-script.ts';
export {
  type ConfigFile,
  namedFiles,
  readChecks,
  readStarters,
  runnersIn,
  type Starter,
  starterFiles,
} from './trust/read-starters.ts';
