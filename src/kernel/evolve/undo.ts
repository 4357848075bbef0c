/** Facts of undo and redo: points to go back to, plans, and what counts no more. */
import type { FactOf } from '../facts.ts';
import { withOnlySeen } from '../seen.ts';
import { betweenRounds, type State, type Turn } from '../state.ts';
import { type Reducers, treeUnknown, withTurn, worldChanged } from './reducer.ts';
import { isAlone } from './world.ts';

export const undoReducers: Reducers<'checkpoint.taken' | 'undo.planned' | 'chat.rewound' | 'undo.done'> = {
  // A point is what a look found. Where that was another tree, a scan stands before it; else the tree is the known one.
  'checkpoint.taken': (state, fact) => {
    const { world } = state;
    if (world.tree === null) return { ...state, world: { ...world, isPointDue: false } };
    return { ...state, world: { ...world, revision: fact.revision, isPointDue: false, isTreeKnown: isAlone(state) } };
  },

  'undo.planned': (state, fact) => {
    const { seq, ts: _ts, ...pending } = fact;
    return { ...state, undo: { ...state.undo, pending, pendingSeq: seq } };
  },

  'chat.rewound': (state, fact) => {
    const { settings } = state;
    const rewound: State = {
      ...(fact.seen === undefined ? state : withOnlySeen(state, fact.seen)),
      settings: fact.mode === undefined ? settings : { ...settings, mode: fact.mode },
      todos: fact.todos ?? state.todos,
      sinceTodos: [],
    };
    return withTurn(rewound, (turn) => (turn.phase === 'done' ? turn : withoutRound(turn)));
  },

  'undo.done': (state, fact) => {
    const { pending } = state.undo;
    if (pending === null || pending.undoId !== fact.undoId) return state;
    const next = withTurn({ ...state, undo: settled(state, fact) }, (turn) =>
      turn.phase === 'done' && (pending.scope !== 'files' || fact.restored.length > 0) ? withoutEnd(turn) : turn,
    );
    return fact.restored.length === 0 ? next : worldChanged(treeUnknown(next), fact.seq);
  },
};

/** The turn asks its planner next, as if the undone rounds had never been. What they cost stays charged. */
const withoutRound = (turn: Turn): Turn => ({
  ...turn,
  plan: { origin: 'model', steps: [] },
  ...betweenRounds,
  claim: { ...turn.claim, count: 0, fresh: false },
});

/** What a finished turn achieved is not there any more, so nothing may be told as done and verified. */
const withoutEnd = (turn: Turn): Turn => ({ ...turn, outcome: 'cancelled', finalText: null });

function settled(state: State, fact: FactOf<'undo.done'>): State['undo'] {
  const { undo } = state;
  const { pending, pendingSeq } = undo;
  if (pending === null) return undo;
  const over = { ...undo, pending: null, pendingSeq: 0 };
  const { undoId, scope, toSeq } = pending;
  if (pending.kind === 'undo') {
    const done = { undoId, scope, toSeq, plannedSeq: pendingSeq, doneSeq: fact.seq };
    return { ...over, done: [...undo.done, done] };
  }
  const back = undo.done.find((one) => one.undoId === pending.reverses);
  if (back === undefined) return { ...over, reversed: extended(undo.reversed, fact.seq) };
  return {
    ...over,
    done: undo.done.filter((one) => one !== back),
    reversed: [...undo.reversed, { scope: back.scope, from: back.plannedSeq, to: fact.seq }],
  };
}

/** What a redo could not bring back is tried again by another one; both count as one. */
const extended = (reversed: State['undo']['reversed'], to: number): State['undo']['reversed'] =>
  reversed.map((one, i) => (i === reversed.length - 1 ? { ...one, to } : one));
