/** Facts of the workspace: scans, changes from outside, and evidence of checks. */
import { testsRun } from '../completion.ts';
import { afterResult } from '../progress.ts';
import type { Evidence, State } from '../state.ts';
import { type Reducers, withTurn, worldChanged } from './reducer.ts';

type WorldFact = 'workspace.scanned' | 'workspace.rebased' | 'boot.changed' | 'evidence.recorded';

/** What is at work, in the background or as a call, may change something at any time, also behind a look. */
export const isAlone = ({ tasks, world }: State): boolean => tasks.length === 0 && world.underWay.length === 0;

export const worldReducers: Reducers<WorldFact> = {
  'workspace.scanned': (state, fact) => {
    const differs = state.world.tree !== null && state.world.tree !== fact.tree;
    const world = {
      ...state.world,
      revision: fact.revision,
      tree: fact.tree,
      dirtyAtStart: fact.at === 'start' ? fact.dirty === true : state.world.dirtyAtStart,
      isTreeKnown: isAlone(state),
    };
    return differs ? worldChanged({ ...state, world }, fact.seq) : { ...state, world };
  },

  'workspace.rebased': (state, fact) =>
    worldChanged(
      { ...state, world: { ...state.world, revision: fact.to, tree: fact.tree, isTreeKnown: isAlone(state) } },
      fact.seq,
    ),

  // What no scan covers (ignored files, installed packages) may have been lost with the power, so checks run anew.
  'boot.changed': (state, fact) => worldChanged(state, fact.seq),

  'evidence.recorded': (state, fact) => {
    const earlier = state.evidence.find((other) => other.check === fact.check);
    const evidence: Evidence = {
      seq: fact.seq,
      check: fact.check,
      passed: fact.passed,
      tree: fact.after,
      stable: fact.before === fact.after,
      mostRun: Math.max(earlier?.mostRun ?? 0, testsRun(fact.counts ?? null)),
      revision: fact.revision,
      counts: fact.counts ?? null,
      exitCode: fact.exitCode,
      reason: fact.reason ?? null,
    };
    // A check that only made products leaves the world as it was: older evidence for the same tree follows it.
    const others = state.evidence
      .filter((other) => other.check !== fact.check)
      .map((other) => (other.tree === fact.before && evidence.stable ? { ...other, tree: fact.after } : other));
    const known = state.world.tree;
    const moved = known !== null && known !== fact.before;
    const world = {
      ...state.world,
      revision: fact.revision,
      tree: fact.after,
      products: [...state.world.products, ...(fact.products ?? [])],
      isTreeKnown: isAlone(state),
    };
    const next = withTurn({ ...state, world, evidence: [...others, evidence] }, (turn) => ({
      ...turn,
      progress: afterResult(turn.progress),
    }));
    // Before this run somebody changed the workspace: what was proven earlier is expired, this run is not.
    if (moved) return worldChanged(next, fact.seq - 1);
    return evidence.stable ? next : worldChanged(next, fact.seq);
  },
};
