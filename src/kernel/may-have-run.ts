import type { OpenAction, State } from './state.ts';

/**
 * Whether a call that is closed without a result may have taken effect all the same: it was under way, it was given up
 * because it can be repeated, or the embedding program has it.
 */
export const mayHaveRun = (action: OpenAction, turn: NonNullable<State['turn']>): boolean =>
  action.status === 'started' || action.mayHaveRun === true || isAtHost(action, turn);

/** Handed to the embedding program, and no result came yet. */
export const isAtHost = ({ effect, status, stepId }: OpenAction, turn: NonNullable<State['turn']>): boolean =>
  effect === 'host' && status === 'allowed' && turn.ended.includes(stepId);
