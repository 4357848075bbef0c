/**
 * What every ledger does alike, whatever keeps its bytes: check, number, encode, hand out, tell the subscribers.
 * Appending runs to its end without waiting for anything, so concurrent calls cannot interleave.
 */
import type { Fact, FactBody, FactOf, FactType } from '#kernel';
import { messageOf } from '#lib';
import type { Blobs } from './blobs.ts';
import type { Codec } from './codec.ts';
import type { Ledger } from './contract.ts';
import { LedgerError } from './error.ts';
import { deepFreeze } from './freeze.ts';
import { BATCH_FACTS_MAX, PAYLOAD_BYTES_MAX } from './log/frame.ts';
import type { RecentFacts } from './recent.ts';

/** Where the bytes go. */
export interface Sink {
  /** Throws `LedgerError`; nothing of the batch is kept then. */
  write(payloads: readonly string[], lastSeq: number): void;
  flush(): Promise<void>;
  /** Facts older than those kept in memory: from `fromSeq` to `toSeq`. */
  older(fromSeq: number, toSeq: number): Iterable<Fact>;
  /** Those of these types only. */
  find(types: ReadonlySet<string>, fromSeq: number, toSeq: number): Iterable<Fact>;
  close(): Promise<void>;
}

export interface LedgerParts {
  readonly sessionId: string;
  readonly folder: string | null;
  readonly codec: Codec;
  readonly sink: Sink;
  readonly recent: RecentFacts;
  readonly lastSeq: number;
  readonly blobs: Blobs;
  /** Unix time in milliseconds. */
  readonly now: () => number;
}

export function makeLedger(parts: LedgerParts): Ledger {
  const { codec, sink, recent, blobs } = parts;
  const listeners = new Set<(facts: readonly Fact[]) => void>();
  let lastSeq = parts.lastSeq;
  let closing: Promise<void> | null = null;

  const refuseClosed = (): void => {
    if (closing) throw new LedgerError('closed', `the ledger of session ${parts.sessionId} is closed`);
  };

  return {
    sessionId: parts.sessionId,
    folder: parts.folder,
    get lastSeq() {
      return lastSeq;
    },
    read: (fromSeq = 1) => ({
      [Symbol.iterator]() {
        const late = recent.between(fromSeq, lastSeq);
        const before = Math.min(lastSeq, recent.firstSeq - 1);
        return (fromSeq > before ? late : joined(sink.older(fromSeq, before), late))[Symbol.iterator]();
      },
    }),
    find: <T extends FactType>(types: readonly T[], fromSeq = 1) => ({
      [Symbol.iterator]() {
        const wanted: ReadonlySet<string> = new Set(types);
        const late = recent.between(fromSeq, lastSeq).filter((fact) => wanted.has(fact.type));
        const before = Math.min(lastSeq, recent.firstSeq - 1);
        const found = fromSeq > before ? late : joined(sink.find(wanted, fromSeq, before), late);
        return (found as Iterable<FactOf<T>>)[Symbol.iterator]();
      },
    }),
    async append(bodies) {
      refuseClosed();
      if (bodies.length === 0) return [];
      const ts = parts.now();
      const payloads = encodeAll(codec, bodies, lastSeq, ts);
      const facts = payloads.map((payload) => decodeOwn(codec, payload, ts));
      sink.write(payloads, lastSeq + bodies.length);
      lastSeq += bodies.length;
      recent.push(
        facts,
        payloads.reduce((sum, payload) => sum + payload.length, 0),
      );
      for (const listener of [...listeners]) tell(listener, facts);
      return facts;
    },
    async flush() {
      refuseClosed();
      await sink.flush();
    },
    subscribe(listener) {
      // A wrapper of its own, so that the same function may subscribe twice and stop once.
      const entry = (facts: readonly Fact[]) => listener(facts);
      listeners.add(entry);
      return () => {
        listeners.delete(entry);
      };
    },
    async putBlob(bytes) {
      refuseClosed();
      return blobs.put(bytes);
    },
    getBlob: (hash) => blobs.get(hash),
    close() {
      closing ??= sink.close();
      return closing;
    },
  };
}

function* joined(older: Iterable<Fact>, late: readonly Fact[]): Iterable<Fact> {
  yield* older;
  yield* late;
}

function encodeAll(codec: Codec, bodies: readonly FactBody[], lastSeq: number, ts: number): string[] {
  if (bodies.length > BATCH_FACTS_MAX)
    throw new LedgerError('invalid', `a batch of ${bodies.length} facts is too large (limit ${BATCH_FACTS_MAX})`);
  return bodies.map((body, i) => {
    const problems = codec.misfits(body);
    if (problems.length > 0)
      throw new LedgerError('invalid', `fact ${body.type} does not fit its schema: ${problems.join('; ')}`);
    const payload = codec.encode(body, lastSeq + 1 + i, i === 0 ? ts : 0);
    if (payload.length > PAYLOAD_BYTES_MAX / 3 && Buffer.byteLength(payload) > PAYLOAD_BYTES_MAX)
      throw new LedgerError(
        'invalid',
        `fact ${body.type} is larger than ${PAYLOAD_BYTES_MAX} bytes; store it as a blob`,
      );
    return payload;
  });
}

function decodeOwn(codec: Codec, payload: string, ts: number): Fact {
  const decoded = codec.decode(payload, ts);
  if ('newer' in decoded) throw new LedgerError('invalid', `fact ${decoded.newer.type} cannot be read back`);
  return deepFreeze(decoded.fact);
}

/** The facts are in the ledger whatever a subscriber does: its exception is reported and harms nobody else. */
function tell(listener: (facts: readonly Fact[]) => void, facts: readonly Fact[]): void {
  try {
    listener(facts);
  } catch (thrown) {
    process.emitWarning(`a subscriber of the ledger failed: ${messageOf(thrown)}`, { code: 'BELAY_SUBSCRIBER' });
  }
}
