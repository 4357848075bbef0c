/** What a session's facts say of its hooks: runs left behind, and the call and the turn that a firing is about. */
import type { BodyOf, Fact } from '#kernel';
import type { Left } from './run-hook.ts';

export interface FiringMemory {
  see(fact: Fact): void;
  /** The last run of this hook at this firing. */
  left(invocationId: string, hook: string): Left | undefined;
  /** Whether its words are recorded already. */
  isSaid(invocationId: string, hook: string): boolean;
  /** The outcome of a call of this turn. */
  outcome(actionId: string): BodyOf<'attempt.outcome'> | null;
  readonly turn: { readonly turnId: string; readonly goal: string } | null;
  /** Sequence number of the last pause. */
  readonly pause: number;
}

/** Holds what belongs to the present turn only. */
export function createFiringMemory(): FiringMemory {
  const runs = new Map<string, Left & { readonly attemptId: string }>();
  const keys = new Map<string, string>();
  const said = new Set<string>();
  const outcomes = new Map<string, BodyOf<'attempt.outcome'>>();
  let turn: FiringMemory['turn'] = null;
  let pause = 0;
  let bootId = '';
  const forget = () => {
    for (const one of [runs, keys, said, outcomes]) one.clear();
  };
  return {
    get turn() {
      return turn;
    },
    get pause() {
      return pause;
    },
    outcome: (actionId) => outcomes.get(actionId) ?? null,
    left: (invocationId, hook) => runs.get(keyOf(invocationId, hook)),
    isSaid: (invocationId, hook) => said.has(keyOf(invocationId, hook)),
    see(fact) {
      switch (fact.type) {
        case 'executor.attached':
          bootId = fact.bootId;
          break;
        case 'session.start':
          turn = { turnId: fact.turnId, goal: fact.goal };
          forget();
          break;
        case 'model.response':
          outcomes.clear();
          break;
        case 'session.pause':
          pause = fact.seq;
          // Whoever mended a hook that stopped the turn wants it to be asked again.
          if (fact.reason.startsWith('hook_')) runs.clear();
          break;
        case 'attempt.outcome':
          outcomes.set(fact.actionId, fact);
          break;
        case 'hook.said':
          said.add(keyOf(fact.invocationId, fact.hook));
          break;
        case 'hook.started': {
          const key = keyOf(fact.invocationId, fact.hook);
          keys.set(fact.attemptId, key);
          runs.set(key, { attemptId: fact.attemptId, command: fact.command, bootId, end: null });
          break;
        }
        case 'hook.ended': {
          const key = keys.get(fact.attemptId);
          if (key === undefined) break;
          const { attemptId, status, exitCode = null, output, errors = '' } = fact;
          const run = runs.get(key);
          if (run === undefined) break;
          if (status === 'not-started') runs.delete(key);
          else runs.set(key, { ...run, attemptId, end: { status, exitCode, out: output, errors } });
          break;
        }
      }
    },
  };
}

const keyOf = (invocationId: string, hook: string) => `${invocationId}\n${hook}`;
