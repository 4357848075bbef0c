/**
 * The workspace: the only part of Belay that touches the user's files and starts processes.
 *
 * 1. Every path is jailed by its real path: a link that leaves the root is refused, whatever it is called.
 * 2. Files are bytes. Reading reports encoding and line ends; writing changes exactly the bytes asked for, durably
 *    (temporary file, fsync, rename, fsync of the folder), keeping mode and link targets.
 * 3. The user's git directory, configuration, index, filters and hooks are never used to look at files.
 * 4. The revision is the hash of our own scan. It never depends on time stamps, order or locale.
 * 5. A command's truth survives the agent: its claim, output, end and exit code lie in its exec folder.
 */
import type { Fingerprint } from '#kernel';

export interface Workspace {
  /** Real path of the root. */
  readonly root: string;
  readonly files: Files;
  readonly revision: Revisions;
  readonly processes: Processes;
}

export type PathProblem = {
  readonly code: 'outside' | 'missing' | 'directory' | 'protected' | 'invalid';
  readonly message: string;
};

export interface ResolvedPath {
  /** Relative to the root, `/` separated, normalised: equal files have equal texts. */
  readonly path: string;
  readonly absolute: string;
  readonly kind: 'file' | 'directory' | 'missing' | 'other';
}

export interface FileContent {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Git blob hash of the bytes (`blob <n>\0` + bytes, SHA-1, hex). */
  readonly hash: string;
  readonly mode: number;
  readonly binary: boolean;
  /** Decoded text with its own line ends, null when binary. */
  readonly text: string | null;
  /** Canonical encoding name, for example `utf-8`, `utf-16le`, `gb18030`. */
  readonly encoding: string;
  readonly bom: boolean;
}

export interface WriteRequest {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Hash the file must have at the moment of replacement; null = it must not exist. */
  readonly base: string | null;
  /** Folder of the attempt: the claim and the applied marker go there. */
  readonly execFolder: string | null;
}
export type WriteResult =
  | { readonly ok: true; readonly fingerprint: Fingerprint; readonly hash: string }
  | { readonly ok: false; readonly code: 'stale' | 'revoked' | 'full' | 'denied' | 'io'; readonly message: string };

export interface Files {
  /** Accepts absolute paths, `./x`, `a/../b` and paths relative to the root. */
  resolve(path: string): Promise<ResolvedPath | PathProblem>;
  read(path: string, limit?: { readonly bytesMax: number }): Promise<FileContent | PathProblem>;
  /** Hash without decoding; null when the file does not exist. */
  hash(path: string): Promise<string | null>;
  /** Encodes text as the given file was encoded; null when a character cannot be expressed. */
  encode(text: string, like: Pick<FileContent, 'encoding' | 'bom'>): Uint8Array | null;
  write(request: WriteRequest): Promise<WriteResult>;
  /** Settles a file attempt left behind (see `settle-file.ts`). */
  settle(execFolder: string, files: readonly Fingerprint[]): Promise<FileSettlement>;
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

export interface Scan {
  /** Hash of the whole sorted manifest. */
  readonly revision: string;
  /** Path → `mode hash` of every file, link and (empty) folder that counts. */
  readonly manifest: ReadonlyMap<string, string>;
}
export interface Revisions {
  scan(signal?: AbortSignal): Promise<Scan>;
  /** Hash of the manifest without the given paths. */
  tree(scan: Scan, except: readonly string[]): string;
  /** Paths that differ, sorted. */
  changed(before: Scan, after: Scan): readonly string[];
  /** `git diff`-like text of the change since the session's base, for people; read-only and filter-free. */
  isDirty(): Promise<boolean | null>;
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
  /** Live output, in order, at most a few times a second. */
  onOutput?(text: string): void;
}
export interface ProcessResult {
  readonly state: 'exited' | 'timed-out' | 'cancelled' | 'not-started' | 'unknown';
  readonly exitCode: number | null;
  /** Merged stdout and stderr in true order, as stored in the spool (whole or head). */
  readonly output: Uint8Array;
  /** True where bytes were lost: the spool limit was reached or the marker is missing. */
  readonly cut: boolean;
  /** Whether status, marker and receipt agree; only then the exit code is evidence. */
  readonly consistent: boolean;
  readonly provenance: 'live' | 'receipt' | 'reattached';
  readonly spoolPath: string;
  /** Set when state is unknown: what the world shows. */
  readonly evidence?: string;
}
export interface Processes {
  /** Writes `exec/<attemptId>/`; call before the ledger flush that precedes `start`. Throws a store-full error when space is short. */
  prepare(request: SpawnRequest): Promise<PreparedProcess>;
  /** Reconciles an attempt left behind: revokes, re-attaches and waits, or reads the receipt. */
  settle(request: Omit<SpawnRequest, 'command'> & { readonly bootId: string }): Promise<ProcessResult>;
  /** Boot identity of this machine run. */
  bootId(): Promise<string>;
}
export interface PreparedProcess {
  /** Starts the wrapper, which claims first. Resolves when the command is settled. */
  start(): Promise<ProcessResult>;
  /** Nothing was started; removes what `prepare` made. */
  discard(): Promise<void>;
}
