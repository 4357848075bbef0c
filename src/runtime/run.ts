/** What the performing functions of one driver run see. */
import type { Fact, FactBody, Json, State } from '#kernel';
import type { Delta, SessionPorts, ToolResult } from './contract.ts';
import type { Hooks } from './hooks.ts';

/** Facts that became true together. `barrier`: they, and all before them, must be on disk before anything goes on. */
export interface Batch {
  readonly facts: readonly FactBody[];
  readonly barrier?: boolean;
}
export type Batches = AsyncGenerator<Batch, void, void>;

/** What settling needs of a run; whoever settles without one brings these. */
export interface Settler {
  readonly ports: Pick<SessionPorts, 'ledger' | 'tools' | 'world' | 'exec' | 'bootId'>;
  /** Aborted by cancel, interruption and close. */
  readonly signal: AbortSignal;
  /** The state after everything yielded so far was appended. */
  state(): State;
  emit(delta: Delta): void;
  /** Attempts whose outcome is written; their folders go once it is flushed. */
  readonly finished: Set<string>;
  /** Set after a round of commands: the next model request may be used to scan the workspace. */
  scanWanted: boolean;
}

export interface Run extends Settler {
  readonly ports: SessionPorts;
  readonly hooks: Hooks;
  readonly executorId: string;
  facts(): Iterable<Fact>;
  /** Puts on disk what was appended so far, as a barrier does, for whoever has something to do meanwhile. */
  flush(): Promise<void>;
  /** Takes up what others left by now; right before an effect, so that none overtakes a cancel. */
  hear(): Promise<void>;
  /** Size of the last projected request, kept so that measuring one costs only what is new. */
  readonly measured: { messages: number; bytes: number };
  /** Reads that began while their answer streamed, by action, until they are due. */
  readonly early: Map<string, EarlyRead>;
}

export interface EarlyRead {
  readonly actionId: string;
  readonly tool: string;
  readonly args: Json;
  readonly outcome: Promise<ToolResult>;
  readonly stop: AbortController;
}

/** The turn of a state in which there must be one. */
export function turnOf(state: State): NonNullable<State['turn']> {
  if (state.turn === null) throw new Error('no turn is running');
  return state.turn;
}
