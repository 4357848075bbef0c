/**
 * Facts that follow from what is being recorded without looking at anything: the next phase, the hand-over of a call.
 * They are written together with what they follow from, which saves a write each. Nothing is believed early: the
 * state moves only when the batch is in the ledger.
 */
import { decide, evolve, type Fact, type FactBody, type Next, type State } from '#kernel';
import type { Hooks } from './hooks.ts';
import { handedOver } from './perform/execute.ts';

/** More than ever follow in a row; a fault in the rules must not become an endless batch. */
const FOLLOWING_MAX = 16;

/** `bodies` with what follows from them. Hooks may have a word at every boundary, so with any of them nothing follows. */
export function withForegone(state: State, bodies: readonly FactBody[], hooks: Hooks): readonly FactBody[] {
  if (!hooks.isEmpty()) return bodies;
  const all = [...bodies];
  let ahead = assume(state, bodies);
  for (let n = 0; n < FOLLOWING_MAX; n++) {
    const following = plainFacts(decide(ahead), ahead);
    if (following.length === 0) break;
    all.push(...following);
    ahead = assume(ahead, following);
  }
  return all;
}

function assume(state: State, bodies: readonly FactBody[]): State {
  return bodies.reduce((ahead, body) => evolve(ahead, { ...body, seq: ahead.seq + 1, ts: ahead.ts } as Fact), state);
}

function plainFacts(next: Next, state: State): readonly FactBody[] {
  switch (next.kind) {
    case 'commit':
      return state.turn?.draft?.origin === 'model' ? [{ type: 'phase.enter', to: 'executing' }] : [];
    case 'handOver':
      return handedOver(state, next.actionIds);
    case 'reflect':
      return [{ type: 'phase.enter', to: 'reflecting' }];
    case 'advance':
      return [{ type: 'phase.enter', to: next.to }];
    default:
      return [];
  }
}
