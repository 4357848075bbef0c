/** Facts of the session as a whole: identity, settings, executors, words from outside. */
import { afterResult } from '../progress.ts';
import type { State } from '../state.ts';
import { type Reducers, withTurn } from './reducer.ts';

export const sessionReducers: Reducers<
  | 'session.created'
  | 'executor.attached'
  | 'executor.detached'
  | 'settings.changed'
  | 'mode.changed'
  | 'input.received'
  | 'cancel.requested'
  | 'todo.updated'
  | 'sandbox.probed'
  | 'record.lost'
  | 'ledger.repaired'
  | 'ledger.imported'
> = {
  'session.created': (state, fact) => ({ ...state, sessionId: fact.sessionId, workspace: fact.workspace }),

  'executor.attached': (state, fact) => {
    const abandoned = state.executor !== null;
    // Who undoes runs nothing that could die again by itself: whatever ends it, a person was here.
    const isUndo = fact.for === 'undo';
    const count = abandoned && !state.crashes.progressed && !isUndo ? state.crashes.count + 1 : 0;
    return {
      ...state,
      executor: { executorId: fact.executorId, bootId: fact.bootId, pid: fact.pid },
      crashes: { count, suspect: abandoned ? fact.seq - 1 : null, progressed: isUndo },
    };
  },

  'executor.detached': (state) => ({
    ...state,
    executor: null,
    crashes: { count: 0, suspect: null, progressed: true },
  }),

  'settings.changed': (state, fact) => {
    const settings = state.settings;
    const mode = fact.mode ?? settings.mode;
    const changed: State = {
      ...state,
      settings: {
        model: fact.model ?? settings.model,
        mode,
        modeBeforePlan: fact.mode !== undefined && fact.mode !== 'plan' ? fact.mode : settings.modeBeforePlan,
        checks: fact.checks ?? settings.checks,
        allow: fact.allow ?? settings.allow,
        limits: fact.limits === undefined ? settings.limits : { ...settings.limits, ...fact.limits },
        price: fact.price ?? settings.price,
      },
    };
    if (fact.limits === undefined) return changed;
    return withTurn(changed, (turn) => ({ ...turn, budget: { ...turn.budget, warned: null } }));
  },

  'mode.changed': (state, fact) => {
    const { settings } = state;
    const entering = fact.mode === 'plan' && settings.mode !== 'plan';
    return {
      ...state,
      settings: {
        ...settings,
        mode: fact.mode,
        modeBeforePlan: entering ? settings.mode : fact.mode === 'plan' ? settings.modeBeforePlan : fact.mode,
      },
    };
  },

  'input.received': (state) => withTurn(state, (turn) => ({ ...turn, unheard: turn.unheard + 1 })),

  'cancel.requested': (state) =>
    withTurn(state, (turn) => (turn.phase === 'done' ? turn : { ...turn, cancelled: true })),

  'todo.updated': (state, fact) =>
    withTurn({ ...state, todos: fact.cleared === true ? [] : fact.todos, sinceTodos: [] }, (turn) => ({
      ...turn,
      progress: { ...afterResult(turn.progress), idleTodos: 0 },
    })),

  // What commands run in decides nothing here: whoever starts them knows it.
  'sandbox.probed': (state) => state,

  'record.lost': (state) => state,

  // Nobody of the time before drives the session any more. What was at work and how the workspace looked may be lost.
  'ledger.repaired': (state) => ({
    ...state,
    executor: null,
    world: { ...state.world, isTreeKnown: false, underWay: [] },
  }),

  'ledger.imported': (state) => ({ ...state, executor: null }),
};
