/**
 * The ledger: the one durable memory of a session.
 *
 * 1. `append` is atomic per batch: after any crash a reader sees all facts of a batch or none.
 * 2. Facts get gapless sequence numbers from 1 in the order of appending; nothing is ever changed or removed.
 * 3. `append` resolves when the batch is written (kill -9 cannot take it back); `flush` resolves when everything
 *    appended before the call is on disk (power loss cannot take it back). Concurrent flushes share one sync.
 * 4. A failed append leaves the ledger as it was before; afterwards it may be tried again or closed, nothing else.
 * 5. One writer. Readers need no lock and see a valid prefix at every instant.
 */
import type { Fact, FactBody } from '#kernel';

export interface Ledger {
  readonly sessionId: string;
  /** Folder of the session for `exec/`; null for a ledger that lives in memory. */
  readonly folder: string | null;
  /** Facts in the ledger, and the number of the last one (0 when empty). */
  readonly lastSeq: number;
  /** All facts from `fromSeq` (default 1), in order. */
  read(fromSeq?: number): Iterable<Fact>;
  /** Throws `LedgerError`; checks every body against its schema first. */
  append(bodies: readonly FactBody[]): Promise<readonly Fact[]>;
  flush(): Promise<void>;
  /** Called after each successful append, with its facts, in order. Returns the way to stop. */
  subscribe(listener: (facts: readonly Fact[]) => void): () => void;
  /** Stores bytes under their SHA-256 (hex) and syncs them; the same content is stored once. */
  putBlob(bytes: Uint8Array): Promise<string>;
  getBlob(hash: string): Promise<Uint8Array>;
  close(): Promise<void>;
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
}

/** What a reader found, besides the facts. */
export interface LedgerReport {
  readonly facts: readonly Fact[];
  /** Bytes behind the last whole batch: an interrupted append. They are cut (kept aside) before the next append. */
  readonly tornBytes: number;
  /** Damage in the middle: where, what was good before it, and how many later records still check. */
  readonly damage: { readonly offset: number; readonly lastGoodSeq: number; readonly laterRecords: number } | null;
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
  readonly state: string;
  readonly damaged: boolean;
}
