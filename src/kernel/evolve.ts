/**
 * `evolve(state, fact) → state`: pure, total, and the only writer of the state.
 *
 * 1. Equal prefixes give equal states; nothing outside the arguments is read.
 * 2. Every fact moves `seq` and `ts`; a fact that makes no sense in this state changes nothing else.
 * 3. The phase changes only through `transition`.
 * 4. Time without an attached executor and time in a pause is not charged.
 */

import { actionReducers } from './evolve/action.ts';
import type { Reducers } from './evolve/reducer.ts';
import { sessionReducers } from './evolve/session.ts';
import { taskReducers } from './evolve/task.ts';
import { turnReducers } from './evolve/turn.ts';
import { undoReducers } from './evolve/undo.ts';
import { worldReducers } from './evolve/world.ts';
import type { Fact, FactType } from './facts.ts';
import { isActive } from './phases.ts';
import { initialState, type State } from './state.ts';

const reducers: Reducers<FactType> = {
  ...sessionReducers,
  ...turnReducers,
  ...actionReducers,
  ...taskReducers,
  ...worldReducers,
  ...undoReducers,
};

export function evolve(state: State, fact: Fact): State {
  const reduce = reducers[fact.type] as ((state: State, fact: Fact) => State) | undefined;
  const charged = charge(state, fact);
  const next = reduce === undefined ? charged : reduce(charged, fact);
  if (next === state) return { ...state, seq: fact.seq, ts: fact.ts };
  // Made for this fact and seen by nobody yet: a second copy of it would double what folding costs.
  const fresh = next as { seq: number; ts: number };
  fresh.seq = fact.seq;
  fresh.ts = fact.ts;
  return next;
}

export function fold(facts: Iterable<Fact>, from: State = initialState): State {
  let state = from;
  for (const fact of facts) state = evolve(state, fact);
  return state;
}

function charge(state: State, fact: Fact): State {
  const { turn } = state;
  if (turn === null || !isActive(turn.phase) || fact.type === 'executor.attached' || state.executor === null) {
    return state;
  }
  const passedMs = Math.max(0, fact.ts - state.ts);
  if (passedMs === 0) return state;
  return { ...state, turn: { ...turn, budget: { ...turn.budget, elapsedMs: turn.budget.elapsedMs + passedMs } } };
}
