import { createProjector, type Projector, projectedTypes } from '#context';
import { evolve, type Fact, initialState, type State } from '#kernel';
import type { FirstReader, Mark } from '#ledger';

/** The state at a mark of the ledger, as an earlier run left it behind. */
export interface KeptState {
  readonly mark: Mark;
  readonly state: State;
}

/** What a session that goes on makes of its facts while its ledger is opened: none of them is kept. */
export interface FirstReading extends FirstReader {
  state(): State;
  /** Has folded every fact that it wants, also those that an undo hides; knows no tools yet. */
  projector(): Projector;
}

/** Where a state was kept, only what came later is folded, if the ledger bears it out. */
export function createFirstReading(recall: (folder: string) => KeptState | null): FirstReading {
  let isBorneOut = true;
  let state = initialState;
  let projector = createProjector();
  return {
    known(folder) {
      const kept = recall(folder);
      if (kept === null) return null;
      isBorneOut = false;
      state = kept.state;
      return { mark: kept.mark, types: projectedTypes };
    },
    see(facts: readonly Fact[]) {
      for (const fact of facts) if (fact.seq > state.seq) state = evolve(state, fact);
      projector.fold(facts);
    },
    judged(isKnown) {
      isBorneOut = true;
      if (isKnown) return;
      state = initialState;
      projector = createProjector();
    },
    state: () => (isBorneOut ? state : initialState),
    projector: () => projector,
  };
}
