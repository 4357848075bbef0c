/**
 * Who may do what. One pluggable async function `(call, context) → allow | deny | ask`.
 *
 * 1. deny beats ask, ask beats allow; what is not understood asks.
 * 2. A headless run asks nobody: `ask` becomes a pause with its own exit code, never an invented answer.
 * 3. Only the user's own rules, modes and declared checks allow; the model and the repository can only narrow.
 */
import type { Check, EffectClass, Json, PermissionMode } from '#kernel';

export interface PermissionCall {
  readonly tool: string;
  readonly args: Json;
  readonly effect: EffectClass;
  /** Paths relative to the workspace; null = any. */
  readonly paths: readonly string[] | null;
}
export interface PermissionContext {
  readonly mode: PermissionMode;
  /** Rules of the user: `Bash(node --test)`, `Edit(src/**)`, `Read`. */
  readonly allow: readonly string[];
  readonly checks: readonly Check[];
  readonly workspace: string;
  readonly signal: AbortSignal;
}
export interface PermissionDecision {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly by: 'rule' | 'mode' | 'check' | 'policy';
  /** For people: which rule or mode decided. */
  readonly reason: string;
  /** For the model, when denied: what to do instead. */
  readonly message?: string;
}
/** What the policy must be told of the world, because this room touches no files. */
export interface PermissionPorts {
  /** The path with its links resolved, relative to the workspace; null when it leads out of it. */
  realPath(path: string): Promise<string | null>;
  /** What stands there now; without it every file counts as existing. */
  kind?(path: string): Promise<'file' | 'directory' | 'missing' | 'other'>;
}

/** Rules that only narrow: they hold in every mode, deny before ask. */
export interface NarrowingRules {
  readonly deny: readonly string[];
  readonly ask: readonly string[];
}
export type Permission = (call: PermissionCall, context: PermissionContext) => Promise<PermissionDecision>;
