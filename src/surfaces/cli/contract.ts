/**
 * What the command line is handed. It knows sessions only as the runtime's type; who makes them, where they lie and
 * which model answers is decided outside.
 */
import type { BodyOf, Fact, LeftAlone, PermissionMode, UndoScope } from '#kernel';
import type { Result } from '#lib';
import type { OutsideMessage, SafetyClassifier, Session } from '#runtime';

/** Everything of the process that the command line touches. */
export interface CliIo {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean };
  readonly env: { readonly [name: string]: string | undefined };
  readonly cwd: string;
  /** Calls back on SIGINT, SIGTERM and SIGHUP. Returns the way to stop. */
  onSignal(listener: (signal: Signal) => void): () => void;
  /** Ends the process at once; used for a second Ctrl-C only. */
  exitNow(code: number): void;
}
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Why something cannot be done: for people, with the exit code that says the same to programs. */
export interface Problem {
  readonly exitCode: number;
  readonly message: string;
  /** Set where a person may decide that commands run as root without a sandbox. */
  readonly unsandboxedRoot?: true;
}

export type SettingsChange = Omit<BodyOf<'settings.changed'>, 'type' | 'by' | 'instructions'>;

export interface NewSession {
  readonly cwd: string;
  readonly sessionId: string | null;
  readonly settings: SettingsChange;
  /** Refuse (55) where the repository's configuration would start something that is not trusted. */
  readonly requireTrust?: boolean;
  readonly signal: AbortSignal;
  /** Told a line where the start takes long. */
  readonly say?: (line: string) => void;
}
export interface KnownSession {
  readonly sessionId: string;
  /** The folder to go on in, where the session's record of its own is lost; of no account else. */
  readonly cwd?: string;
  readonly settings: SettingsChange;
  /** Refuse (55) where the repository's configuration would start something that is not trusted. */
  readonly requireTrust?: boolean;
  readonly signal: AbortSignal;
  /** Told a line where the start takes long. */
  readonly say?: (line: string) => void;
}

/** Puts marks in the place of secrets in what is told: a model may have been given one in its task. */
export interface SecretMask {
  text(text: string): string;
  json<T>(value: T): T;
}

/** A session that this process drives; it holds the lock until `close`. */
export interface OpenedSession {
  readonly session: Session;
  readonly modelId: string;
  /** Whether the cost of a request is known. */
  readonly priced: boolean;
  readonly tools: readonly string[];
  readonly workspace: string;
  /** What a person should know before it starts: a dirty tree, a data folder that may forget. */
  readonly notices: readonly string[];
  /** For what is told of calls and facts. */
  readonly mask: SecretMask;
  /** Looks at calls that wait for an approval; null where none is chosen. */
  readonly classify: SafetyClassifier | null;
  /** Where `allowAlways` stores rules. */
  readonly rulesFile: string;
  /**
   * Approves a call that waits, and stores the rules that its pull names as `always`: for this workspace, in the user's
   * own settings file, and in this session. Nothing is approved where they could not be stored.
   */
  allowAlways(actionId: string, by: string): Promise<Result<readonly string[], Problem>>;
  close(reason: string): Promise<void>;
  /** Kills all that runs, for an end that waits for nothing; the process ids. The session can be resumed. */
  abandon(): readonly number[];
}

/** A session as its ledger tells it; reading needs no lock. */
export interface SessionRecord {
  readonly sessionId: string;
  readonly facts: readonly Fact[];
  readonly folder: string;
  /** What is wrong with the ledger, naming the place and the last good fact; null when whole. */
  readonly damage: string | null;
  /** Set when the end of the file was an interrupted write. */
  readonly torn: string | null;
}

export interface SessionRow {
  readonly sessionId: string;
  readonly workspace: string;
  readonly goal: string;
  readonly changedMs: number;
  readonly lastSeq: number;
  readonly state: string;
  readonly damaged: boolean;
}

export type Visit = OutsideMessage extends infer M ? (M extends { id: string } ? Omit<M, 'id'> : never) : never;

export interface CheckUp {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

export interface UndoRequest {
  readonly kind: 'undo' | 'redo';
  readonly scope: UndoScope;
  /** Any fact of the first round to undo; null: the last round that changed something. */
  readonly toSeq: number | null;
  /** Aborted before the plan is recorded: nothing is undone. After it the plan is carried out all the same. */
  readonly signal?: AbortSignal;
}
export interface UndoReport {
  readonly kind: 'undo' | 'redo';
  readonly scope: UndoScope;
  /** The last fact that still counts. */
  readonly toSeq: number;
  readonly restored: readonly string[];
  /** Those of them that are not there any more. */
  readonly removed: readonly string[];
  /** Paths left alone, each with the reason. */
  readonly refused: readonly LeftAlone[];
  /** What restored files lack. */
  readonly notes?: readonly LeftAlone[];
  /** How long a command of what was undone ran (ms), where an edit of somebody else may have come in between. */
  readonly ranMs?: number;
  /** Set where an interrupted undo was finished instead of a new one begun. */
  readonly finished?: boolean;
  /** An interrupted undo that had to be finished first. */
  readonly earlier?: UndoReport;
}
export interface ForkRequest {
  /** The last fact that both sessions share. */
  readonly at: number;
  /** Id of the new session; null: made. */
  readonly sessionId: string | null;
  /** Folder of a new git worktree with the files as they were then; null: the same workspace as it is. */
  readonly worktree: string | null;
}
export interface ForkReport {
  readonly sessionId: string;
  readonly workspace: string;
  /** What a person should know: files that are not as they were then. */
  readonly notices: readonly string[];
}

export interface PermissionQuestion {
  readonly command: string;
  readonly mode: PermissionMode;
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  /** The workspace. */
  readonly cwd: string;
}
export interface PermissionAnswer {
  readonly decision: 'allow' | 'ask' | 'deny';
  readonly by: string;
  readonly reason: string;
  /** Every command and file that the text holds. */
  readonly parts: readonly { readonly what: string; readonly decision: string; readonly reason: string }[];
  /** What the authors of the rules should know. */
  readonly warnings: readonly string[];
}

export interface TrustReport {
  /** Real path. */
  readonly workspace: string;
  /** Null where nothing would start. */
  readonly digest: string | null;
  readonly starters: readonly {
    readonly file: string;
    readonly kind: string;
    readonly name: string;
    readonly command: string;
  }[];
  /** Files of the repository that the commands name; the digest covers them. */
  readonly named: readonly string[];
  /** What the digest does not cover and would start all the same, as far as that can be seen; in words. */
  readonly beyond: readonly string[];
  readonly trusted: boolean;
  /** It was trusted with another content. */
  readonly changed: boolean;
}

export interface SessionChange {
  readonly text: string;
  /** Something stands for a secret in `text`, so it is not to be applied there. */
  readonly isMasked: boolean;
  /** Paths that only others changed. */
  readonly others: readonly string[];
}
export interface CliDeps {
  readonly version: string;
  create(request: NewSession): Promise<Result<OpenedSession, Problem>>;
  reopen(request: KnownSession): Promise<Result<OpenedSession, Problem>>;
  /** The session last changed whose workspace holds this folder. */
  lastSession(cwd: string): Promise<Result<string, Problem>>;
  read(sessionId: string): Promise<Result<SessionRecord, Problem>>;
  /** Calls back with facts after `seq` as they are written, until the signal aborts. */
  follow(sessionId: string, seq: number, onFacts: (facts: readonly Fact[]) => void, signal: AbortSignal): Promise<void>;
  /** Records a message as a fact where nobody holds the session, else leaves it for the holder. Says which. */
  visit(sessionId: string, message: Visit): Promise<Result<string, Problem>>;
  list(): Promise<Result<readonly SessionRow[], Problem>>;
  /** What the user is to know of it, a sentence each. */
  remove(sessionId: string): Promise<Result<readonly string[], Problem>>;
  /** Whether the ledger that was copied is whole. */
  exportTo(sessionId: string, file: string): Promise<Result<boolean, Problem>>;
  /** Returns the id of the new session. */
  importFrom(folder: string): Promise<Result<string, Problem>>;
  /** Every fault of a ledger as a line, and the number of its facts. */
  verify(sessionId: string): Promise<Result<{ readonly facts: number; readonly faults: readonly string[] }, Problem>>;
  /** What was done, and what stays wrong because nothing can bring it back; each as lines. */
  repair(
    sessionId: string,
  ): Promise<Result<{ readonly done: readonly string[]; readonly left: readonly string[] }, Problem>>;
  /** The change that this session made to its workspace, as a diff for people. */
  changes(sessionId: string): Promise<Result<SessionChange, Problem>>;
  undo(sessionId: string, request: UndoRequest): Promise<Result<UndoReport, Problem>>;
  /** Finishes an interrupted undo; null where there is none. */
  finishUndo(sessionId: string): Promise<Result<UndoReport | null, Problem>>;
  fork(sessionId: string, request: ForkRequest): Promise<Result<ForkReport, Problem>>;
  checkUp(): Promise<readonly CheckUp[]>;
  demo(request: { readonly kill: boolean; readonly times: number }): Promise<number>;
  /** What a session would decide about a command, and why; runs nothing. */
  explain(question: PermissionQuestion): Promise<Result<PermissionAnswer, Problem>>;
  /** Checks the examples that rules in files carry; how many there are. */
  examples(cwd: string): Promise<Result<number, Problem>>;
  /** For what is told of sessions that are not open. */
  secretMask(): Promise<SecretMask>;
  /** What the configuration of a repository would start, and whether that is trusted. */
  lookAtTrust(folder: string): Promise<Result<TrustReport, Problem>>;
  /** Trusts a content by its digest; refused where the content is another one by now. */
  recordTrust(folder: string, digest: string): Promise<Result<null, Problem>>;
  dropTrust(folder: string): Promise<Result<null, Problem>>;
  /** What a rule of `--allow` is worth: its fault as a sentence, or null. */
  ruleFault(rule: string): Promise<string | null>;
  /** Turns anything thrown by a session into a problem. */
  problemOf(thrown: unknown): Problem;
}
