/**
 * The workspace: the only part of Belay that touches the user's files and starts processes.
 *
 * 1. Every path is jailed by its real path: a link that leaves the root is refused, whatever it is called.
 * 2. Files are bytes. Reading reports encoding and line ends; writing changes exactly the bytes asked for, durably
 *    (temporary file, fsync, rename, fsync of the folder), keeping mode and link targets.
 * 3. The user's git directory, configuration, index, filters and hooks are never used to look at files.
 * 4. The revision is the hash of our own scan. It never depends on order or locale, and on time stamps only where a
 *    file is too large to be hashed.
 * 5. A command's truth survives the agent: its claim, output, end and exit code lie in its exec folder.
 */
import type { Fingerprint } from '#kernel';
import type { Confinement } from './confinement.ts';
import type { Scan } from './scan.ts';

export type * from './confinement.ts';
export type * from './going-back.ts';
export type * from './scan.ts';

export interface Workspace {
  /** Real path of the root. */
  readonly root: string;
  readonly files: Files;
  readonly revision: Revisions;
  readonly processes: Processes;
}

export interface WorkspaceOptions {
  /** An existing folder; its real path becomes the root. */
  readonly root: string;
  /** Belay's own data: refused by every file tool and left out of every scan, by real path. They need not exist yet. */
  readonly protectedPaths: readonly string[];
  /** The environment that the allow-list for commands picks from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that commands get besides, asked for at each command; absent: none. */
  readonly passed?: () => Readonly<Record<string, string>>;
  /** Folder for the lock between Belay processes, outside the workspace; null or absent locks this process only. */
  readonly lockFolder?: string | null;
  /** File that keeps the scan cache over runs, outside the workspace; null or absent keeps it in memory only. */
  readonly cacheFile?: string | null;
  /** Called with the content that a write is about to displace (null: the path did not exist) and the new one, before it does. */
  readonly onDisplace?: (
    path: string,
    before: { readonly hash: string; readonly bytes: Uint8Array } | null,
    /** Null where the file is taken away. */
    after: { readonly hash: string; readonly bytes: Uint8Array } | null,
  ) => void | Promise<void>;
  /** Told once, when a scan has taken longer than 2 s; scans work meanwhile and tell no more. */
  readonly onSlowScan?: (seen: SlowScan) => void;
  /** What becomes of running commands when this process is killed: they go on to their limit (`keep`), or end at once. */
  readonly whenKilled?: 'keep' | 'end';
  /** Replaces the identity of this boot; for simulations of a power loss. */
  readonly bootId?: string;
  /** What keeps commands from the rest of the machine; absent: nothing. */
  readonly confinement?: Confinement;
}

/** How far a scan has come. */
export interface SlowScan {
  /** Entries looked at. */
  readonly files: number;
  /** The file that is being read; null between files. */
  readonly reading: { readonly path: string; readonly bytes: number } | null;
}

export type WorkspaceErrorCode =
  | 'full' // no space where a command's output would go
  | 'missing' // a folder that must exist does not
  | 'closed' // a folder that may not be entered
  | 'invalid' // a request that can never work, for example NUL in a command
  | 'busy' // another Belay process holds the edit lock for too long
  | 'unsupported' // a program that Belay needs is not installed
  | 'io';

export type PathProblem = {
  readonly code: 'outside' | 'missing' | 'directory' | 'protected' | 'invalid';
  readonly message: string;
};

export interface ResolvedPath {
  /** Relative to the root (`.` for the root itself), `/` separated, links resolved: equal files have equal texts. */
  readonly path: string;
  readonly absolute: string;
  readonly kind: 'file' | 'directory' | 'missing' | 'other';
  /** True inside a git directory: such a path can be read, but `write` refuses it. */
  readonly gitInternal: boolean;
}

export interface FileContent {
  readonly path: string;
  /** The whole file, or its head when `truncated`. */
  readonly bytes: Uint8Array;
  /** Bytes of the whole file. */
  readonly size: number;
  /** The file is longer than `bytesMax`; `bytes` and `text` are its head. Such a content must not be written back. */
  readonly truncated: boolean;
  /** Git blob hash of the whole file (`blob <n>\0` + bytes, SHA-1, hex). */
  readonly hash: string;
  readonly mode: number;
  readonly binary: boolean;
  /** Decoded text with its own line ends, null when binary. */
  readonly text: string | null;
  /** Canonical encoding name, for example `utf-8`, `utf-16le`, `gb18030`. */
  readonly encoding: string;
  readonly bom: boolean;
  /** The encoding is only the likeliest one: other encodings would read the same bytes as other characters. */
  readonly guessed?: boolean;
  /** Nothing but ASCII: characters and bytes are the same. Absent where that was not looked at. */
  readonly isPlain?: boolean;
}

/** A change of one file of several. */
export interface FileChange {
  readonly path: string;
  /** Null takes the file away. */
  readonly bytes: Uint8Array | null;
  /** The same content in pieces, where it lies in them: then `bytes` may be put together only when somebody asks. */
  readonly pieces?: readonly Uint8Array[];
  /** Nothing but ASCII without NUL, where the caller knows it. */
  readonly isPlain?: boolean;
  /** Hash the file must have at the moment of replacement; null = it must not exist. */
  readonly base: string | null;
  /** The content that belongs to `base`, where the caller has it: it spares hashing. */
  readonly baseBytes?: Uint8Array;
  /** Git blob hash of `bytes`, where the caller has it. */
  readonly result?: string;
  /** Permission bits of a file that is new. */
  readonly mode?: number;
}
export type FilesResult =
  | { readonly ok: true; readonly fingerprints: readonly Fingerprint[]; readonly notes: readonly string[] }
  | {
      readonly ok: false;
      readonly code: Extract<WriteResult, { readonly ok: false }>['code'];
      readonly message: string;
      /** Files that were changed and could not be brought back; absent: no file was changed. */
      readonly stayed?: readonly (Fingerprint & { readonly why: string })[];
    };

export interface WriteRequest extends FileChange {
  readonly bytes: Uint8Array;
  /** Folder of the attempt: the claim and the applied marker go there. */
  readonly execFolder: string | null;
}
export type WriteResult =
  | {
      readonly ok: true;
      readonly fingerprint: Fingerprint;
      readonly hash: string;
      /** What the user should know besides, for example that a hard link was split. */
      readonly notes: readonly string[];
    }
  | { readonly ok: false; readonly code: 'stale' | 'revoked' | 'full' | 'denied' | 'io'; readonly message: string };

export interface Files {
  /**
   * Accepts absolute paths, `./x`, `a/../b` and paths relative to the root. A missing name means the one that differs from it
   * only in how its letters are composed, if there is one and no other; the path found is spelled as it is there.
   */
  resolve(path: string): Promise<ResolvedPath | PathProblem>;
  /**
   * `bytesMax` defaults to 16 MiB; a longer file comes back `truncated`. A file that is no regular file is `invalid`.
   * `trusting`: a file whose size, times and inode are as they were counts as unchanged. It is for callers whose write
   * compares the content all the same.
   */
  read(
    path: string,
    limits?: { readonly bytesMax?: number; readonly trusting?: boolean },
  ): Promise<FileContent | PathProblem>;
  /**
   * The one existing file whose name differs from a missing one only in kinds of blanks or in how accented letters are
   * written; null when there is none, or more than one.
   */
  lookAlike(path: string): Promise<string | null>;
  /** Hash without decoding; null when there is no such file inside the workspace. */
  hash(path: string): Promise<string | null>;
  /** Of a file whose encoding was guessed: every text that the same bytes may be, in encodings that are common. */
  readings(bytes: Uint8Array): Promise<readonly { readonly text: string; readonly encoding: string }[]>;
  /** Encodes text as the given file was encoded; null when a character cannot be expressed. */
  encode(text: string, like: Pick<FileContent, 'encoding' | 'bom'>): Uint8Array | null;
  /** Throws `WorkspaceError` `full` where the attempt's folder has no room; nothing was changed then. */
  write(request: WriteRequest): Promise<WriteResult>;
  /** Changes several files under one claim: all of them or none. Throws as `write` does. */
  writeAll(changes: readonly FileChange[], execFolder: string | null): Promise<FilesResult>;
  /**
   * Settles a file attempt left behind (see `files/settle-file.ts`); removes what the attempt left lying around.
   * `bootId` is that of the attempt; absent means the present one.
   */
  settle(execFolder: string, files: readonly Fingerprint[], bootId?: string): Promise<FileSettlement>;
  /** Names in a folder, sorted, folders with a trailing slash; ignore rules are not applied. */
  list(path: string, max: number): Promise<readonly string[]>;
  /** Existing files near a path that does not exist, best first. */
  suggest(path: string, max: number): Promise<readonly string[]>;
}

export type FileSettlement =
  | { readonly state: 'not-started' }
  | { readonly state: 'applied'; readonly changedSince: boolean }
  | { readonly state: 'not-applied' }
  | { readonly state: 'diverged'; readonly evidence: string };

export interface IgnoredFiles {
  readonly files: readonly string[];
  /** Folders that were not entered because tools make them anew (`node_modules/`), and the rest where there are more. */
  readonly left: readonly string[];
}
/** Changes of tracked files, files that git does not know, ignored ones. */
export type Unheld = 'changes' | 'untracked' | 'ignored';
export interface Elsewhere {
  /** The top of the repository, from the workspace: `../..`. */
  readonly top: string;
  /** From the workspace; an ignored folder stands for what is in it. */
  readonly files: readonly string[];
}
export interface Uncommitted {
  /** Tracked files that differ from the last commit. */
  readonly changed: readonly string[];
  readonly untracked: readonly string[];
}
/** A content that git's index holds, and neither the last commit nor the file. */
export interface StagedOnly {
  readonly path: string;
  /** Git blob hash. */
  readonly hash: string;
}
export interface Revisions {
  /** Rejects soon after `signal` aborts. Files above 256 MiB are told apart by size, times and inode (see `files/huge-file.ts`). */
  scan(signal?: AbortSignal): Promise<Scan>;
  /** A scan with some paths as they were seen just now (null: nothing is there); a whole scan would say the same. Absent: scan again. */
  amend?(scan: Scan, seen: ReadonlyMap<string, string | null>): Scan;
  /** Hash of the manifest without the given paths. */
  tree(scan: Scan, except: readonly string[]): string;
  /** Paths that differ, sorted. */
  changed(before: Scan, after: Scan): readonly string[];
  /** Paths in the git index (read by our own parser); null without a repository. Absent: nothing is known of tracking. */
  tracked?(): Promise<ReadonlySet<string> | null>;
  /**
   * Files that no scan tells of because a rule ignores them, in order of their paths, within limits. `under`: only these
   * paths and what lies below them; `isNamed`: of folders, only below those that are ignored themselves.
   */
  ignored?(
    limits: { readonly filesMax: number; readonly under?: readonly string[]; readonly isNamed?: boolean },
    signal?: AbortSignal,
  ): Promise<IgnoredFiles>;
  /**
   * What no commit holds; null without a repository or git. Of a repository around the workspace its changed files count
   * too, with paths that lead above. Runs no filter or hook.
   */
  uncommitted?(): Promise<Uncommitted | null>;
  /**
   * What no commit holds of the repository around the workspace, outside of it; null where git does not answer. Runs no
   * filter or hook.
   */
  elsewhere?(which: readonly Unheld[]): Promise<Elsewhere | null>;
  /**
   * What only git's index holds, of the whole repository around the workspace: paths from the workspace, also above it.
   * Empty without a repository; null where git does not answer. Runs no filter or hook.
   */
  stagedOnly?(): Promise<readonly StagedOnly[] | null>;
  /** Whether the git working tree has uncommitted changes; null without a repository or git. Runs no filter or hook. */
  isDirty(signal?: AbortSignal): Promise<boolean | null>;
}

export interface SpawnRequest {
  readonly command: string;
  readonly cwd: string;
  readonly execFolder: string;
  readonly attemptId: string;
  readonly actionId: string;
  readonly timeoutMs: number;
  readonly spoolBytesMax?: number;
  readonly signal: AbortSignal;
  /** Standard error in a spool of its own: then the order between the two is not known. */
  readonly separate?: boolean;
  /** Runs outside the confinement of the workspace, if there is one. */
  readonly unconfined?: boolean;
  /** Called when the command has its go line: from then on it runs, whatever becomes of this process. */
  onStarted?(): void;
  /** Live output, in order, at most a few times a second. */
  onOutput?(text: string): void;
}
export interface ProcessResult {
  readonly state: 'exited' | 'timed-out' | 'cancelled' | 'not-started' | 'unknown';
  readonly exitCode: number | null;
  /** Where it is known: a code above 128 is the command's own, or a signal ended it. */
  readonly endedBy?: 'itself' | 'signal';
  /** Exit codes of the stages of the last pipe, in order, where there was one and its shell could tell. */
  readonly stages?: readonly number[];
  /** Merged stdout and stderr in true order. At most 4 MiB: of more, the first and the last half (see `omitted`). */
  readonly output: Uint8Array;
  /** Standard error, where it was kept apart; then `output` is standard output alone. Of more than 4 MiB both ends. */
  readonly errors?: { readonly output: Uint8Array; readonly outputBytes: number };
  /** Bytes in the spool, without the end marker. */
  readonly outputBytes: number;
  /** Bytes of the spool that `output` leaves out, and the offset in `output` where they would be. */
  readonly omitted: { readonly at: number; readonly bytes: number } | null;
  /** True where bytes were lost: the spool limit was reached or the marker is missing. */
  readonly cut: boolean;
  /** Whether status, marker and receipt agree; only then the exit code is evidence. */
  readonly consistent: boolean;
  readonly provenance: 'live' | 'receipt' | 'reattached';
  /** When its receipt was written (Unix ms), where it was found later. */
  readonly endedMs?: number;
  readonly spoolPath: string;
  /** Set when state is unknown: what the world shows. */
  readonly evidence?: string;
  /** Processes of the command that live on after its shell ended (background children). */
  readonly leftAlive: readonly number[];
  /**
   * How well the tree could be found when it was stopped; absent when nothing was stopped. `pidns`: all of it.
   * `session+tag`: what was in its session, carried its tag or descended from these then; not what had left all three.
   */
  readonly stopLevel?: 'pidns' | 'session+tag' | 'group';
  /** Present when the command ran confined. `putAway`: what it left and had to be put away, a sentence each. */
  readonly confined?: { readonly network: boolean; readonly putAway: readonly string[] };
}
/** Of an attempt left behind. */
export type SettleRequest = Omit<SpawnRequest, 'command'> & {
  /** Of the attempt. */
  readonly bootId: string;
  /** It may be that it was never made ready, so a folder that is not there tells of no loss. */
  readonly isOptional?: boolean;
};
/** `traces-gone`: what would show it was removed. `other-boot`: nothing shows it, and that proves nothing. */
export type StartState = 'begun' | 'not-started' | 'traces-gone' | 'other-boot';
export interface Processes {
  /**
   * Writes `exec/<attemptId>/` and starts the wrapper, which waits for its go line; call it before the ledger flush
   * that precedes `start`, so that both overlap. Throws `WorkspaceError`: `full`, `missing`, `invalid`, `unsupported`.
   */
  prepare(request: SpawnRequest): Promise<PreparedProcess>;
  /**
   * Reconciles an attempt left behind: revokes, re-attaches and waits, or reads the receipt. `isOptional`: it may never
   * have been made ready, so a folder that is not there is no loss; of any other it is, and then nothing is known.
   */
  settle(request: SettleRequest): Promise<ProcessResult>;
  /**
   * Whether an attempt left behind has begun; revokes it otherwise. Does not wait for its end, but for whoever is in the
   * middle of its claim.
   */
  settleStart(request: SettleRequest): Promise<StartState>;
  /** Ends what is left alive of attempts whose command ended, however long ago; tells the process ids. */
  stopLeft(attemptIds: readonly string[]): Promise<readonly number[]>;
  /**
   * Finds what commands of a killed agent left behind: processes that carry the tag of one of these attempts. They are
   * stopped with the leftovers. Absent, and nothing found, where processes cannot be listed.
   */
  takeOver?(attemptIds: readonly string[]): readonly number[];
  /**
   * Kills at once all that runs of commands of this object, and of these attempts; for an end that waits for nothing.
   * Whoever settles them later is told that they were ended. Tells the process ids.
   */
  abandon(attemptIds: readonly string[]): readonly number[];
  /** Boot identity of this machine run. */
  bootId(): Promise<string>;
  /** Stops everything that commands of this object left running; for an orderly end. */
  stopLeftovers(): Promise<void>;
  /** Absolute path of a helper program outside the workspace (`git`, `rg`, …), or null. Looked up once. */
  program(name: string): string | null;
  /** Whether commands run confined unless they are asked not to. */
  isConfined(): boolean;
  /** Environment for such a program: the allow-list for commands, without any mark of an attempt. */
  helperEnv(): Readonly<Record<string, string>>;
}
export interface PreparedProcess {
  /**
   * Gives the go line; the wrapper claims first. Resolves when the command is settled. Throws `WorkspaceError` `full`
   * where the claim found no room, so that nothing has run.
   */
  start(): Promise<ProcessResult>;
  /** Nothing was started; removes what `prepare` made. */
  discard(): Promise<void>;
}
