/**
 * The model gateway.
 *
 * 1. One call of `generate` is at most one request on the wire: retry, backoff and budgets belong to the caller.
 * 2. An answer is complete or it is a failure: cut streams, error events and unfinished calls never yield an answer.
 * 3. Argument text is parsed strictly and never repaired; what does not parse is marked `malformed`.
 * 4. It never throws: every end is a `ModelResult`. After an abort the result is `cancelled` and the socket is closed.
 * 5. What a model cannot look at (an attachment of a kind that it does not take) is told in words.
 * 6. A refusal of what was sent, by a request that held files, names them (`media`): the caller may leave them out.
 * 7. Keys never appear in results, failures or deltas.
 */
import type { Fact, ModelDelta, ModelRequest, ModelResult, Price, StreamedCall } from '#kernel';

export interface Model {
  /** `PROVIDER/MODEL`, as the user names it. */
  readonly id: string;
  /** Known list price, else null. */
  readonly price: Price | null;
  /** Context window in tokens, where known. */
  readonly contextTokens: number | null;
  generate(request: ModelRequest, context: ModelCallContext): Promise<ModelResult>;
  /** Whether `generate` waits for `durable`. */
  readonly waitsForDurable?: boolean;
  /** Loads what the first request needs, for whoever has to wait for something else. Never rejects, sends nothing. */
  warm?(): Promise<void>;
}

export interface ModelCallContext {
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** Live deltas, in order, while the answer streams. */
  onDelta(delta: ModelDelta): void;
  /** Told of each call whose arguments are whole and readable, while the rest of the answer still streams. */
  onCall?(call: StreamedCall): void;
  /** Facts so far; only the scripted model looks at them, to know which answer comes next. */
  facts(): Iterable<Fact>;
  /** Nothing is sent before it comes, and nothing at all where it is refused. Absent: the request may go at once. */
  readonly durable?: Promise<void>;
  /** Bytes of an attachment of the request. Absent: attachments are told in words only. */
  blob?(hash: string): Promise<Uint8Array>;
}

/** Configuration is wrong: unknown provider, missing key, unreadable script. `code` decides the exit code. */
export interface ModelConfigProblem {
  readonly code: 'configuration' | 'auth';
  readonly message: string;
}
