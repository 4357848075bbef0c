/** What a session changed, and how it is brought back. Part of the room's contract. */
import type { Scan } from './scan.ts';

/** A path whose content differs between a session's base and now. `diff` is null for binary, huge or unknown content. */
export interface PathChange {
  readonly path: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'mode';
  readonly diff: string | null;
  /** Why there is no diff. */
  readonly note?: string;
}

/** What tells a session's own change from what only a scan sees. */
export interface OwnChange {
  /** When the session began, in Unix milliseconds: what was left alone since is no change of it. */
  readonly sinceMs: number;
  /** Files that edits changed, with the content hash before the first of them (null: not there). Scans may not tell of them. */
  readonly written: ReadonlyMap<string, string | null>;
}

/** Content as it was before a session changed it. Lives outside the workspace. */
export interface BaseStore {
  /** Remembers the manifest, and the content that git could not give back later. The first call wins. */
  snapshot(scan: Scan): Promise<void>;
  /** The remembered manifest, or null before `snapshot`. */
  base(): Promise<Scan | null>;
  /** Keeps content under its hash; fits `WorkspaceOptions.onDisplace`. */
  capture(path: string, before: { readonly hash: string; readonly bytes: Uint8Array } | null): Promise<void>;
  /** Content by git blob hash: from the store, else from the repository's objects, else null. */
  content(hash: string): Promise<Uint8Array | null>;
  /** The same for many at once, together at most 64 MiB; what is not known is left out. */
  contents(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /** What changed between the base and now, sorted by path. */
  changesSince(now: Scan, own?: OwnChange): Promise<readonly PathChange[]>;
}

/** A path that two looks tell differently of. */
export interface SeenChange {
  readonly path: string;
  /** As a scan tells it; null: nothing was there. Absent: not known. */
  readonly before?: string | null;
  readonly now: string | null;
}

/** A time in Unix milliseconds in which commands were at work; `toMs` null: they still are. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number | null;
}

/** Points to which the files of a workspace can be brought back. Lives outside the workspace. */
export interface Checkpoints {
  /**
   * Keeps what differs from `base`, with its contents. `uncovered`: paths whose content is not kept (too large, not
   * readable, no room). Not durable against power loss. Rejects when the signal aborts.
   */
  take(
    scan: Scan,
    base: Scan,
    signal: AbortSignal,
  ): Promise<{ readonly ref: string; readonly uncovered: readonly string[] }>;
  /** Keeps files as the session found them that neither git nor the copy made at the start could give back. */
  keepStart(scan: Scan, base: Scan, signal: AbortSignal): Promise<void>;
  /** These paths as they are now, null where nothing is. */
  look(paths: readonly string[]): ReadonlyMap<string, string | null>;
  /** Keeps these paths as they are now, null where nothing is: a manifest of their own. */
  takeApart(
    paths: readonly string[],
    signal: AbortSignal,
  ): Promise<{ readonly ref: string; readonly uncovered: readonly string[] }>;
  /**
   * Of the changes between two points, those that commands at work in these spans did not make: kept as a manifest that
   * says of a path `others` (left so before), `older` (a new path to an older file of unknown content) or `later` (changed
   * once more when none was at work). Null: none.
   */
  tellApart(
    changes: Iterable<SeenChange>,
    /** By their begin, at least one. */
    spans: readonly Span[],
    before: Scan,
    /** Sides of ignored files that were looked at before. */
    ignored: Iterable<string | null>,
  ): Promise<string | null>;
  /** Remembers the permissions of all folders with files in them. */
  noteFolders(scan: Scan): void;
  /** Permission bits of a folder as it was seen last; null: the usual ones, or never seen. */
  folderMode(path: string): number | null;
  /** What a point says differs from the base: path → `mode hash`, null where nothing was. Null: not kept any more. */
  manifest(ref: string): ReadonlyMap<string, string | null> | null;
  /** Whether a content is kept, here or with the session's start, by its git blob hash. */
  has(hash: string): boolean;
  /** Content by git blob hash, or null. */
  content(hash: string): Uint8Array | null;
  /** Stores a content; `hash` is its git blob hash. */
  keep(hash: string, bytes: Uint8Array): Promise<void>;
  /** Keeps a file as it is now; false where it is not that content, is too large, or no room is left. */
  keepFile(path: string, hash: string): Promise<boolean>;
  /** Brings the store within its limits; returns the bytes left. */
  prune(): Promise<number>;
}

/** One path to be brought back. Sides are `mode hash` as a scan tells them (mode `?`: not known), null for nothing. */
export interface RestoreItem {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}
export interface RestoreResult {
  readonly restored: readonly string[];
  /** `passing`: the system refused; another time it may not. */
  readonly refused: readonly { readonly path: string; readonly why: string; readonly passing?: boolean }[];
  /** What restored files lack. */
  readonly notes: readonly { readonly path: string; readonly why: string }[];
}
export interface Restorer {
  /**
   * Brings each path from `from` to `to`, by itself and atomically, or leaves it alone and says why. A path that is
   * `to` already counts as restored, so an interrupted run is finished by running it again.
   */
  restore(
    items: readonly RestoreItem[],
    content: (hash: string) => Promise<Uint8Array | null>,
    execFolder: string,
  ): Promise<RestoreResult>;
  /** Tidies up after a run that died: it cannot go on any more, and what it left lying around is gone. */
  abandon(execFolder: string, items: readonly RestoreItem[]): void;
  /** What is at a path now, as a scan would tell it. */
  look(path: string): string | null;
}

export interface WorktreePlace {
  /** Real path of a git repository's top folder. */
  readonly root: string;
  /** Absolute path of the worktree. */
  readonly folder: string;
  /** Absolute path of git. */
  readonly git: string;
  readonly env: Readonly<Record<string, string>>;
}
/** Its folder must not exist yet. */
export interface WorktreeRequest extends WorktreePlace {
  /** Path → `mode hash` of everything that is to lie there. */
  readonly manifest: ReadonlyMap<string, string>;
  contents(hashes: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
}
