import { createProjector, type Projector } from '#context';
import { evolve, type Fact, initialState, type State } from '#kernel';

/** What a session that goes on makes of its facts while its ledger is opened: none of them is kept. */
export interface FirstReading {
  readonly see: (facts: readonly Fact[]) => void;
  state(): State;
  /** Has folded every fact that was seen, also those that an undo hides; knows no tools yet. */
  readonly projector: Projector;
}

export function createFirstReading(): FirstReading {
  let state = initialState;
  const projector = createProjector();
  return {
    see(facts) {
      for (const fact of facts) state = evolve(state, fact);
      projector.fold(facts);
    },
    state: () => state,
    projector,
  };
}
