/**
 * The ledger: the one durable memory of a session.
 *
 * 1. `append` is atomic per batch: after any crash a reader sees all facts of a batch or none.
 * 2. Facts get gapless sequence numbers from 1 in the order of appending; nothing is ever changed or removed.
 * 3. `append` resolves when the batch is written (kill -9 cannot take it back); `flush` resolves when everything
 *    appended before the call is on disk (power loss cannot take it back). Concurrent flushes share one sync, and a
 *    flush with nothing new costs none.
 * 4. A failed append leaves the ledger as it was before; afterwards it may be tried again or closed, nothing else.
 *    After a failed flush the ledger refuses everything but `close`: what the disk kept is known only to a new opening.
 * 5. One writer. Readers need no lock and see a valid prefix at every instant.
 */
import type { Fact, FactBody, FactOf, FactType } from '#kernel';

export interface Ledger {
  readonly sessionId: string;
  /** Folder of the session for `exec/`; null for a ledger that lives in memory. */
  readonly folder: string | null;
  /** Facts in the ledger, and the number of the last one (0 when empty). */
  readonly lastSeq: number;
  /** All facts from `fromSeq` (default 1), in order. */
  read(fromSeq?: number): Iterable<Fact>;
  /** Those of these types, in order. Costs what is found: of a file, the others are not read. */
  find<T extends FactType>(types: readonly T[], fromSeq?: number): Iterable<FactOf<T>>;
  /**
   * Throws `LedgerError`; checks every body against its schema first. The facts returned are read back from the bytes
   * that were written and are frozen, so whoever folds them sees exactly what a later opening will see.
   */
  append(bodies: readonly FactBody[]): Promise<readonly Fact[]>;
  flush(): Promise<void>;
  /** Called after each successful append, with its facts, in order. Returns the way to stop. */
  subscribe(listener: (facts: readonly Fact[]) => void): () => void;
  /** Stores bytes under their SHA-256 (hex) and syncs them; the same content is stored once. */
  putBlob(bytes: Uint8Array): Promise<string>;
  getBlob(hash: string): Promise<Uint8Array>;
  /** Gives the session free. Reading stays possible, everything else is refused as `closed`. Idempotent. */
  close(): Promise<void>;
}

/** An interrupted append that was cut when a writer opened the ledger: no fact of it had been told to anybody. */
export interface TornTail {
  readonly bytes: number;
  /** Path of the file that keeps the bytes. */
  readonly keptIn: string;
}

/** The end of a batch: its last fact, and what the file holds up to there. */
export interface Mark {
  readonly seq: number;
  /** Length of the file up to there, and the SHA-256 of it in hexadecimal digits. */
  readonly bytes: number;
  readonly sha256: string;
}

export interface KnownUpTo {
  readonly mark: Mark;
  readonly types: readonly FactType[];
}

/** Who is shown the facts of a ledger while it is opened. What it was shown of one that is refused counts for nothing. */
export interface FirstReader {
  /**
   * Asked once, under the lock, with the folder of the session: up to which mark it is known already what the facts come
   * to. Of these only facts of the types named are shown (and perhaps others); all bytes are checked all the same.
   */
  known?(folder: string): KnownUpTo | null;
  /** In order, each once. */
  see(facts: readonly Fact[]): void;
  /**
   * Once for a reader that knows something, when all was shown. False: the ledger has no such mark, so what was known and
   * seen counts for nothing, and all facts are shown anew, from the first one on.
   */
  judged?(isKnown: boolean): void;
}

/** A ledger opened for writing. */
export interface WritableLedger extends Ledger {
  /** Its last whole batch; null while there is none. */
  mark(): Mark | null;
  /** What was cut at the opening; a surface reports it. */
  readonly torn: TornTail | null;
  /** Closes it and removes the session before anybody else can have it. */
  discard(): Promise<void>;
}

export type LedgerErrorCode =
  | 'locked' // another process holds the session; message names it
  | 'damaged' // a record is damaged; `offset` and `lastGoodSeq` say where
  | 'full' // no space (ENOSPC, EDQUOT, EFBIG)
  | 'readonly' // the folder or file cannot be written
  | 'newer' // written by a newer version; the message names it
  | 'missing' // no such session or blob
  | 'exists' // the id of a new session is taken
  | 'invalid' // a fact does not fit its schema: a fault of ours, nothing was written
  | 'closed'
  | 'io'; // anything else the system reported

export interface LedgerErrorFacts {
  readonly offset?: number;
  readonly lastGoodSeq?: number;
  readonly path?: string;
  /** For `newer`: the fact type or format that this version does not know. */
  readonly type?: string;
}

/** What a reader found, besides the facts. */
export interface LedgerReport {
  readonly facts: readonly Fact[];
  /** Bytes behind the last whole batch: an interrupted append. They are cut (kept aside) before the next append. */
  readonly tornBytes: number;
  /** Damage in the middle: where, what was good before it, and how many later records still check. */
  readonly damage: Damage | null;
  /** Facts of types or versions this program does not know; they are left out of `facts`. Writing is refused then. */
  readonly newer: readonly NewerFact[];
}
export interface Damage {
  readonly offset: number;
  readonly lastGoodSeq: number;
  readonly laterRecords: number;
  /** What is wrong where the bytes are as they were written; absent where they are not. */
  readonly problem?: string;
}
export interface NewerFact {
  readonly seq: number;
  readonly type: string;
  readonly version: number;
}

/** A message left by somebody who is not the holder. Its id is its file name. */
export type InboxMessage = { readonly id: string } & (
  | {
      readonly kind: 'approval';
      readonly actionId: string;
      readonly verdict: 'approve' | 'deny';
      readonly note?: string;
      readonly by: string;
    }
  | {
      readonly kind: 'settle';
      readonly actionId: string;
      readonly answer: 'applied' | 'not-applied' | 'unknown';
      readonly note?: string;
      readonly by: string;
    }
  | { readonly kind: 'input'; readonly text: string }
  | { readonly kind: 'cancel'; readonly by: string }
);
export type InboxBody = InboxMessage extends infer M ? (M extends { id: string } ? Omit<M, 'id'> : never) : never;

export interface Inbox {
  /** Temporary name, sync, rename. Returns the id. Any process may call it. */
  leave(body: InboxBody): Promise<string>;
  /** Whole messages in order of arrival; a file that is no message is reported by name and left where it is. */
  list(): Promise<{ readonly messages: readonly InboxMessage[]; readonly unreadable: readonly string[] }>;
  /** Whether nothing waits; asked before every step, so it costs a look at a folder that is mostly not even there. */
  isEmpty(): boolean;
  /** Only after the fact with this id was flushed. */
  remove(id: string): Promise<void>;
  /** Calls back soon after something arrives (watcher plus a 250 ms poll). Returns the way to stop. */
  watch(onArrival: () => void): () => void;
}

export interface SessionSummary {
  readonly sessionId: string;
  readonly workspace: string;
  readonly goal: string;
  readonly createdMs: number;
  readonly changedMs: number;
  readonly lastSeq: number;
  readonly state: SessionState;
  readonly damaged: boolean;
}
/** As far as the end of the ledger tells. `open`: a turn is under way, held by a run or left behind by one. */
export type SessionState = 'new' | 'open' | 'paused' | 'done' | 'unknown';

/** Who holds a session; for messages only, nothing is ever decided by it. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly sinceMs: number;
}

/**
 * The sessions folder: `sessions/<id>/{ledger.log, ledger.end, blobs/, exec/, inbox/, lock.db, owner.json}` under `home`.
 * Folders are created 0700 and files 0600. Every method throws `LedgerError`; `missing` where there is no such session.
 */
export interface Store {
  readonly home: string;
  /** Makes a new session and holds it. `exists` if the id is taken, `invalid` if it cannot name a folder. */
  create(sessionId: string): Promise<WritableLedger>;
  /**
   * Takes the lock (`locked` names the holder), cuts a torn tail, refuses a damaged or newer ledger. The file is read once
   * for that: `reader` is shown its facts on the way.
   */
  openWriter(sessionId: string, reader?: FirstReader): Promise<WritableLedger>;
  /** Everything that can be read, without a lock. Throws `newer` only if the file format itself is unknown. */
  openReader(sessionId: string): Promise<LedgerReport>;
  /** As `openReader`, and checks every fact against its schema and every blob; one line for each problem. */
  verify(sessionId: string): Promise<{ readonly report: LedgerReport; readonly problems: readonly string[] }>;
  /** Reads a blob without a lock. */
  getBlob(sessionId: string, hash: string): Promise<Uint8Array>;
  inbox(sessionId: string): Inbox;
  holder(sessionId: string): Promise<Holder | null>;
  /** Newest first; reads at most 64 KiB of each ledger that was changed since the last list. A damaged or unreadable session is listed, never in the way. */
  list(): Promise<readonly SessionSummary[]>;
  /** Refused while somebody holds the session. `first` is done under its lock; what it throws keeps the session. */
  remove(sessionId: string, first?: (folder: string) => Promise<void>): Promise<void>;
  /**
   * Copies ledger and blobs into a new folder at `path`; `exists` if something is there. Of a session that is being
   * written, everything up to the last whole batch. A damaged ledger is copied as it is: returns its damage. Leaves no
   * folder behind where it fails.
   */
  exportTo(sessionId: string, path: string): Promise<Damage | null>;
  /**
   * Rewrites a damaged ledger: the longest valid prefix, `record.lost` in place of each lost fact, and every later record
   * that still checks; then `ledger.repaired` and what `closing` makes of all of them. The file as it was is kept. Null
   * for a ledger without damage. Refused while somebody holds the session.
   */
  repair(sessionId: string, closing: Closing): Promise<Repair | null>;
  /**
   * Makes a session of an exported folder, under the id it had; `ledger.imported` and what `closing` makes of its facts
   * follow. Whatever does not verify is refused (`damaged`, `newer`, `missing`), and `exists` if the id is taken.
   */
  importFrom(path: string, closing: Closing): Promise<string>;
}

/** What else becomes true at a repair or an import, given the facts there are. */
export type Closing = (facts: readonly Fact[]) => readonly FactBody[];
export interface Repair {
  /** Where the file first stopped making sense. */
  readonly offset: number;
  readonly lost: number;
  /** Facts behind the damage that were kept. */
  readonly later: number;
  /** Why facts whose bytes are as they were written are among the lost. */
  readonly problems: readonly string[];
  /** Path of the file as it was. */
  readonly kept: string;
}

export interface FileSystemInfo {
  /** `ext4`, `tmpfs`, `nfs` …; `unknown` where the system does not tell. */
  readonly name: string;
  /** False where a flush is known not to survive a power loss, or where locks are known to be weak. */
  readonly dependable: boolean;
}
