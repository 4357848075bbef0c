/**
 * The six phases of the loop contract and the only function that moves between them.
 *
 *   from \ to       idle     planning  executing  awaiting_tool  reflecting  done
 *   idle             -        run       resume     resume         resume      -
 *   planning         pause    -         commit     -              -           end
 *   executing        pause    -         -          tool           step end    -
 *   awaiting_tool    pause    -         -          -              result      -
 *   reflecting       pause    replan    next       -              -           end
 *   done             -        -         -          -              -           -
 *
 * Resume edges exist only while a pause is open, and only back to the phase that was paused (planning included).
 */
import { err, ok, type Result } from '#lib';
import type { Phase } from './facts.ts';

const moves: { readonly [from in Phase]: readonly Phase[] } = {
  idle: ['planning'],
  planning: ['idle', 'executing', 'done'],
  executing: ['idle', 'awaiting_tool', 'reflecting'],
  awaiting_tool: ['idle', 'reflecting'],
  reflecting: ['idle', 'planning', 'executing', 'done'],
  done: [],
};

export interface IllegalMove {
  readonly code: 'illegal_move';
  readonly from: Phase;
  readonly to: Phase;
  readonly message: string;
}

/** `pausedFrom`: the phase recorded by the open pause, or null. With an open pause only its resume edge is legal. */
export function transition(from: Phase, to: Phase, pausedFrom: Phase | null = null): Result<Phase, IllegalMove> {
  if (pausedFrom !== null) {
    return from === 'idle' && to === pausedFrom && to !== 'idle' && to !== 'done' ? ok(to) : refuse(from, to);
  }
  return moves[from].includes(to) ? ok(to) : refuse(from, to);
}

function refuse(from: Phase, to: Phase): Result<Phase, IllegalMove> {
  return err({ code: 'illegal_move', from, to, message: `illegal transition from ${from} to ${to}` });
}

export const isActive = (phase: Phase): boolean => phase !== 'idle' && phase !== 'done';
