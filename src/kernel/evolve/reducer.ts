import type { FactOf, FactType, Phase } from '../facts.ts';
import { transition } from '../phases.ts';
import { afterResult } from '../progress.ts';
import type { OpenAction, State, Turn } from '../state.ts';

/**
 * Folds one type of fact. Reducers are total: a fact that makes no sense here leaves the state as it is. The result is
 * the very state that was given, or one that was made just now.
 */
export type Reducer<T extends FactType> = (state: State, fact: FactOf<T>) => State;
export type Reducers<T extends FactType> = { readonly [K in T]: Reducer<K> };

/** The state with its turn changed; unchanged when there is no turn. */
export function withTurn(state: State, change: (turn: Turn) => Turn): State {
  if (state.turn === null) return state;
  const turn = change(state.turn);
  return turn === state.turn ? state : { ...state, turn };
}

export function withAction(state: State, actionId: string, change: (action: OpenAction) => OpenAction): State {
  return withTurn(state, (turn) => {
    const at = turn.open.findIndex((action) => action.actionId === actionId);
    const action = turn.open[at];
    if (action === undefined) return turn;
    return { ...turn, open: turn.open.with(at, change(action)) };
  });
}

/** Moves the phase through `transition`, the only door; a refused move changes nothing. */
export function move(turn: Turn, to: Phase): Turn {
  const moved = transition(turn.phase, to, turn.pause?.from ?? null);
  return moved.ok ? { ...turn, phase: moved.value } : turn;
}

/** Something of ours may have changed the workspace since it was looked at last. */
export const treeUnknown = (state: State): State =>
  state.world.isTreeKnown ? { ...state, world: { ...state.world, isTreeKnown: false } } : state;

/** The workspace changed: older evidence is expired for ever, and claims and signals start anew. */
export function worldChanged(state: State, at: number): State {
  const changed = { ...state, world: { ...state.world, changedAt: at } };
  return withTurn(changed, (turn) => ({
    ...turn,
    claim: { ...turn.claim, count: 0 },
    progress: { ...afterResult(turn.progress), repeats: 0, idleEffects: 0, forbidden: [], signals: 0 },
  }));
}
