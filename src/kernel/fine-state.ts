import { assertNever } from '#lib';
import { splitReason } from './decide.ts';
import type { State } from './state.ts';

/** The eleven finer states of a turn, for people and traces. They are derived; nothing decides by them. */
export type FineState =
  | 'Ready'
  | 'BuildingContext'
  | 'CallingModel'
  | 'ExecutingTools'
  | 'AwaitingApproval'
  | 'Verifying'
  | 'Retrying'
  | 'Compacting'
  | 'Completed'
  | 'Failed'
  | 'Cancelled';

export function fineState(state: State): FineState {
  const { turn } = state;
  if (turn === null) return 'Ready';
  switch (turn.phase) {
    case 'idle':
      return turn.pause !== null && splitReason(turn.pause.reason)[0] === 'approval' ? 'AwaitingApproval' : 'Ready';
    case 'planning':
      if (turn.request !== null) return 'CallingModel';
      return turn.retry !== null && !turn.retry.waited ? 'Retrying' : 'BuildingContext';
    case 'executing':
    case 'awaiting_tool':
      return 'ExecutingTools';
    case 'reflecting':
      return 'Verifying';
    case 'done':
      if (turn.outcome === 'cancelled') return 'Cancelled';
      return turn.outcome === 'failed' ? 'Failed' : 'Completed';
    default:
      return assertNever(turn.phase);
  }
}
