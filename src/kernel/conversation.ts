/**
 * What is said to a model and what it answers, in Belay's own neutral terms. A request is a pure projection of facts;
 * the gateway translates it to a provider's wire format. Every call has exactly one result, in the order of calling.
 */
import type { Attachment, Failure, Json, Usage } from './facts.ts';

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Json;
  /** Not sent until the model comes across it, see `ToolSearch`. */
  readonly deferred?: boolean;
}

export type MessagePart =
  | { readonly kind: 'text'; readonly text: string; readonly meta?: Json }
  | { readonly kind: 'reasoning'; readonly text: string; readonly meta?: Json }
  | {
      readonly kind: 'call';
      readonly callId: string;
      readonly name: string;
      readonly args: Json;
      readonly meta?: Json;
    };

export type Message =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly MessagePart[] }
  | {
      readonly role: 'tool';
      readonly results: readonly {
        readonly callId: string;
        readonly name: string;
        readonly text: string;
        readonly isError: boolean;
        /** Files that belong to the result; whoever sends it takes their bytes from the blobs. */
        readonly attachments?: readonly Attachment[];
      }[];
    };

export interface ModelRequest {
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  readonly messages: readonly Message[];
  /** Upper bound of the answer, in tokens. */
  readonly maxOutputTokens?: number;
}

/** One part of an answer. A call's arguments are the provider's raw text until they are parsed strictly. */
export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string; readonly meta?: Json }
  | { readonly kind: 'reasoning'; readonly text: string; readonly meta?: Json }
  | {
      readonly kind: 'call';
      readonly name: string;
      /** The provider's own id, kept for diagnosis only: verdicts and results bind to our action. */
      readonly providerCallId: string;
      readonly args: Json;
      /** Set where the argument text was no JSON object: the call is closed with this message and never runs. */
      readonly malformed?: string;
      readonly meta?: Json;
    };

/** A complete answer: the stream ended with a compatible stop and every started call ended. */
export interface ModelAnswer {
  readonly parts: readonly AnswerPart[];
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'content-filter';
  readonly usage: Usage;
  readonly modelId?: string;
}

/** Live deltas; not facts. */
export type ModelDelta =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string; readonly argsText: string };

/** A call as it stands in an answer that is not complete yet. */
export interface StreamedCall {
  /** Place among the calls of the answer, from 0. */
  readonly index: number;
  readonly name: string;
  readonly args: Json;
}

export type ModelResult =
  | { readonly ok: true; readonly answer: ModelAnswer }
  /**
   * `text` is what had been said before the failure. `media`: blobs of the files in the request, where the provider
   * refused what was sent and they may be why; a request without them is worth a try.
   */
  | { readonly ok: false; readonly failure: Failure; readonly text: string; readonly media?: readonly string[] };
