/**
 * A tool as an embedding program writes it: what it is called, which class its effect has, and what to do. Claims,
 * receipts and settling are done for it. The class is a promise of the author:
 *
 * - `read` changes nothing; it may run at any time and any number of times.
 * - `query` changes something that can be asked about afterwards by the id of the action.
 * - `keyed` changes something at a service that does the work of equal keys only once.
 * - `opaque` changes something that nobody can tell afterwards: a person is asked where the end was not seen.
 */
import type { EffectClass, Json } from '#kernel';

export interface OwnCall {
  /** The same over every retry of this call; a forked session has other ids. */
  readonly actionId: string;
  /** Hash of action and effective arguments: what a `keyed` service is to be sent. */
  readonly key: string;
  /** Aborted when the turn is cancelled or interrupted, and when the time is over. */
  readonly signal: AbortSignal;
}

/**
 * What a run returns. `failed` says: nothing was changed, for this reason. An exception says less, namely that it is
 * not known whether something was changed: then the class decides what happens.
 */
export type OwnResult =
  | string
  | { readonly output: string; readonly data?: Json }
  | { readonly failed: string; readonly data?: Json };

/** What a `query` tool finds in the world. An exception means that the world could not be asked. */
export type OwnAnswer =
  | { readonly state: 'applied'; readonly output: string; readonly data?: Json }
  | { readonly state: 'not-applied' }
  | { readonly state: 'unknown'; readonly evidence: string };

interface OwnToolCommon {
  /** A letter, then letters, digits, `_` or `-`; at most 64. */
  readonly name: string;
  /** For the model. */
  readonly description: string;
  /** JSON Schema of an object; arguments are checked against it before anything runs. */
  readonly inputSchema: Json;
  /** Not sent to the model until it looks for it with `ToolSearch`: for programs with many tools. */
  readonly deferred?: boolean;
  run(args: Json, call: OwnCall): Promise<OwnResult> | OwnResult;
  /** How long one run may take; its signal aborts then. 120,000 unless given. */
  readonly timeoutMs?: number;
}

export type OwnTool = OwnToolCommon &
  (
    | { readonly effect: Extract<EffectClass, 'read' | 'opaque'> }
    | {
        readonly effect: Extract<EffectClass, 'query'>;
        ask(args: Json, call: OwnCall): Promise<OwnAnswer> | OwnAnswer;
      }
    /** `keyLifetimeMs` is how long the service remembers a key; 24 hours unless given. */
    | { readonly effect: Extract<EffectClass, 'keyed'>; readonly keyLifetimeMs?: number }
  );
