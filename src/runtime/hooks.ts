/**
 * Hooks: imperative code of the user at ten fixed points.
 *
 * 1. Handlers run in order of registration on one working copy; what they change flows on, records never change.
 * 2. Throwing stops: `HookAbort` is a decision, anything else is a failure of the hook.
 * 3. The first sentinel wins; the remaining handlers of that firing still run.
 * 4. A firing has a stable `invocationId`: after a crash the same firing may come once more with the same id.
 */
import type { FactBody } from '#kernel';
import { messageOf } from '#lib';

export const hookTopics = [
  'before_plan',
  'after_plan',
  'before_step',
  'after_step',
  'before_tool_call',
  'after_tool_call',
  'on_error',
  'on_pause',
  'on_budget_exceeded',
  'on_complete',
] as const;
export type HookTopic = (typeof hookTopics)[number];

/** A policy decision of a hook: in `before_tool_call` it closes the call and the plan goes on, elsewhere it pauses. */
export class HookAbort extends Error {
  override readonly name = 'HookAbort';
  readonly reason: string;
  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

export type Sentinel =
  | { readonly sentinel: 'skip' }
  | { readonly sentinel: 'pause'; readonly reason: string }
  | { readonly sentinel: 'replan'; readonly reason: string }
  | { readonly sentinel: 'ask'; readonly reason: string };

/** From `before_step` or `before_tool_call`: skip it. From `before_plan`: keep the plan there is. */
export const skip = (): Sentinel => ({ sentinel: 'skip' });
/** Ask for a human review at the next boundary. */
export const pause = (reason: string): Sentinel => ({ sentinel: 'pause', reason });
/** From `before_tool_call`: a person is to decide about this call, also where a rule allows it. */
export const askPerson = (reason: string): Sentinel => ({ sentinel: 'ask', reason });
/** Ask the planner for a new plan once the running step is over. */
export const replan = (reason: string): Sentinel => ({ sentinel: 'replan', reason });

/** Puts facts of a hook into the ledger; they are there when it resolves. For hooks that have effects of their own. */
export type HookRecord = (facts: readonly FactBody[]) => Promise<void>;

// biome-ignore lint/suspicious/noConfusingVoidType: a handler that returns nothing is the ordinary one
export type HookReturn = Sentinel | undefined | void;
export type HookHandler = (
  payload: Record<string, unknown>,
  info: {
    readonly topic: HookTopic;
    readonly invocationId: string;
    readonly record: HookRecord;
    /** Aborted when the turn is cancelled or interrupted. */
    readonly signal: AbortSignal;
  },
) => HookReturn | Promise<HookReturn>;

export type Firing =
  | {
      readonly ok: true;
      readonly payload: Record<string, unknown>;
      readonly sentinel: Sentinel | null;
      readonly hook: string | null;
    }
  | { readonly ok: false; readonly abort: boolean; readonly reason: string };

export interface Hooks {
  /** Throws on an unknown topic. Returns the way to unsubscribe. */
  on(topic: HookTopic, handler: HookHandler, name?: string): () => void;
  has(topic: HookTopic): boolean;
  /** Whether nothing at all is registered. */
  isEmpty(): boolean;
  fire(
    topic: HookTopic,
    invocationId: string,
    payload: Record<string, unknown>,
    record: HookRecord,
    signal?: AbortSignal,
  ): Promise<Firing>;
}

/** `outer`: hooks that come first, for example those of an embedding program, which this object never changes. */
export function createHooks(outer: Hooks | null = null): Hooks {
  const handlers = new Map<HookTopic, { handler: HookHandler; name: string | null }[]>(
    hookTopics.map((topic) => [topic, []]),
  );
  return {
    on(topic, handler, name) {
      const list = handlers.get(topic);
      if (list === undefined)
        throw new TypeError(`unknown hook topic ${topic}; the topics are ${hookTopics.join(', ')}`);
      const entry = { handler, name: name ?? null };
      list.push(entry);
      return () => {
        const at = list.indexOf(entry);
        if (at >= 0) list.splice(at, 1);
      };
    },
    has: (topic) => (handlers.get(topic)?.length ?? 0) > 0 || outer?.has(topic) === true,
    isEmpty: () => hookTopics.every((topic) => handlers.get(topic)?.length === 0) && outer?.isEmpty() !== false,
    async fire(topic, invocationId, payload, record, signal = new AbortController().signal) {
      const before = await outer?.fire(topic, invocationId, payload, record, signal);
      if (before?.ok === false) return before;
      const copy = structuredClone(before?.payload ?? payload);
      let sentinel: Sentinel | null = before?.sentinel ?? null;
      let hook: string | null = before?.hook ?? null;
      for (const entry of [...(handlers.get(topic) ?? [])]) {
        try {
          const returned = await entry.handler(copy, { topic, invocationId, record, signal });
          if (sentinel === null && typeof returned === 'object' && returned !== null && 'sentinel' in returned) {
            sentinel = returned;
            hook = entry.name;
          }
        } catch (thrown) {
          if (thrown instanceof HookAbort) return { ok: false, abort: true, reason: thrown.reason };
          return { ok: false, abort: false, reason: messageOf(thrown) };
        }
      }
      return { ok: true, payload: copy, sentinel, hook };
    },
  };
}
