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
  /** Folder in which commands start unless a call names another, relative to the workspace; absent: the workspace. */
  readonly cwd?: string;
  readonly signal: AbortSignal;
}
export interface PermissionDecision {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly by: 'rule' | 'mode' | 'check' | 'policy';
  /** For people: which rule or mode decided. */
  readonly reason: string;
  /** For the model, when denied: what to do instead. */
  readonly message?: string;
  /** What the call could take away; before it runs, that is kept. Absent where nothing is known to be lost. */
  readonly losses?: readonly Loss[];
  /** Of `ask`: rules that would allow exactly this call. Absent where none is narrow enough. */
  readonly always?: readonly string[];
  /** Of `ask`: only a person may answer, no classifier. */
  readonly personOnly?: boolean;
}
/** One command or redirection that could take work away. */
export interface Loss {
  readonly what: string;
  readonly why: string;
  /** What of the workspace: uncommitted changes of tracked files, files that git does not know, ignored ones. */
  readonly takes: readonly ('changes' | 'untracked' | 'ignored')[];
  /** Only below these, as the text writes them; null: anywhere in the workspace. */
  readonly paths: readonly string[] | null;
  /** What else would be lost, which no undo brings back. */
  readonly beyond: string | null;
  /** Nothing says that it takes anything: what it could change is kept all the same, and nobody is asked for it. */
  readonly unsure?: true;
  /** No word says so much as a name of it: nobody is told, and only what is quickly kept is kept. */
  readonly unnamed?: true;
}
/** What the policy must be told of the world, because this room touches no files. */
export interface PermissionPorts {
  /** The full path of the user's home folder, for rules such as `Read(~/x)`. */
  readonly home?: string;
  /**
   * The path as the kernel follows it, link by link, relative to the workspace; null when it leads out of it. The path
   * counts from the workspace and may hold `..`, which behind a link leads above the link's target.
   */
  realPath(path: string): Promise<string | null>;
  /** What stands there now; without it every file counts as existing. */
  kind?(path: string): Promise<'file' | 'directory' | 'missing' | 'other'>;
  /** At most `max` names in a folder, folders with a trailing slash; without it nobody looks what a pattern finds. */
  entries?(folder: string, max: number): Promise<readonly string[]>;
  /**
   * Whether something of the user's starts from this file of the workspace, as its own settings say: a hook that he
   * trusts, a hook of git in a folder that git's settings name. The path is relative, with its links resolved or not.
   */
  startsLater?(path: string): boolean;
  /**
   * Files at and below these paths of the workspace that no commit holds: `all` of them, or those that are ignored and
   * so in no checkpoint; `named`: of what is ignored, the paths themselves and what lies in them. A folder that is not
   * entered has a slash behind. Without it nobody looks, and only the words of a command count.
   */
  unheld?(paths: readonly string[], which: 'all' | 'ignored' | 'named'): Promise<readonly string[]>;
  /**
   * Files of which git's index holds a content that is kept nowhere else: no commit, no file and no checkpoint has it.
   * Null where git does not say. Without it nobody looks.
   */
  staged?(): Promise<readonly string[] | null>;
  /**
   * Files of the repository around the workspace, outside of it, that no commit holds, and the top of that repository:
   * paths from the workspace, which lead above it. Null where git does not say. Without it nobody looks.
   */
  elsewhere?(which: Loss['takes']): Promise<{ readonly top: string; readonly files: readonly string[] } | null>;
  /** Whether commands run in a sandbox unless they ask not to; without it they do not. */
  isConfined?(): boolean;
}

/** Rules that only narrow: they hold in every mode, deny before ask. */
export interface NarrowingRules {
  readonly deny: readonly string[];
  readonly ask: readonly string[];
}
export type Permission = (call: PermissionCall, context: PermissionContext) => Promise<PermissionDecision>;
