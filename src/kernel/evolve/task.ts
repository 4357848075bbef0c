/** Facts of commands that go on in the background. */
import { type Reducers, treeUnknown, withTurn } from './reducer.ts';

export const taskReducers: Reducers<'task.started' | 'task.ended'> = {
  'task.started': (state, fact) => {
    if (state.tasks.some((task) => task.actionId === fact.actionId)) return state;
    const { actionId, attemptId, command, timeoutMs, cwd = '.' } = fact;
    // Whoever settles an attempt that nobody saw start may do so in a later boot.
    const attempt = state.turn?.open.find((open) => open.attempt?.attemptId === attemptId)?.attempt;
    const bootId = attempt?.bootId ?? state.executor?.bootId ?? null;
    return {
      ...state,
      tasks: [
        ...state.tasks,
        { actionId, attemptId, command, cwd, timeoutMs, startedAt: fact.ts, bootId, wasAskedAbout: false },
      ],
    };
  },

  'task.ended': (before, fact) => {
    const state = treeUnknown(before);
    const left = state.tasks.filter((task) => task.actionId !== fact.actionId);
    if (left.length === state.tasks.length) return state;
    // That it started stands behind a todo for as long as nothing says that it failed.
    const isGood = fact.status === 'exited' && fact.exitCode === 0;
    const sinceTodos = isGood ? state.sinceTodos : state.sinceTodos.filter((actionId) => actionId !== fact.actionId);
    const ended = { ...state, tasks: left, sinceTodos };
    // What no result tells is news for the model, as words of the user are: no turn ends before it was heard.
    return fact.told === true ? ended : withTurn(ended, (turn) => ({ ...turn, unheard: turn.unheard + 1 }));
  },
};
