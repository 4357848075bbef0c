/**
 * One call, from the words of a model to its outcome: every stage in its order, where it is done, what it leaves in the
 * ledger, and what becomes of a call that does not pass. Nothing runs a call past a stage; a run that died goes on at
 * the stage whose fact is missing.
 */
import type { FactType } from '#kernel';

export interface CallStage {
  readonly stage: string;
  /** The file below `src` in which it is done. */
  readonly where: string;
  /** Facts that it writes; those of a stage that has nothing to say are absent. */
  readonly facts: readonly FactType[];
  readonly otherwise: string;
}

export const callStages: readonly CallStage[] = [
  {
    stage: 'registry lookup, strict arguments, and what the call is by its input: effect class, paths, early or not',
    where: 'runtime/perform/intend.ts',
    facts: ['action.intended'],
    otherwise: 'closed: every fault with its JSON pointer and what to send instead',
  },
  {
    stage: 'budget and conflict control: what shares a path, or stands around a command, keeps its order',
    where: 'kernel/decide.ts',
    facts: ['budget.warn'],
    otherwise: 'waits for its turn, or pauses the turn before anything is consumed',
  },
  {
    stage: 'hooks before the step and the call',
    where: 'runtime/perform/authorize.ts',
    facts: ['step.start', 'hook.decided'],
    otherwise: 'closed: refused, skipped or rewritten in words',
  },
  {
    stage: 'policy, and a person where it asks; the approval binds to the input and to the files as they were seen',
    where: 'runtime/perform/permit.ts',
    facts: ['approval.requested', 'approval.resolved'],
    otherwise: 'closed: denied, with what to do instead',
  },
  {
    stage: 'the verdict, behind what was kept of work that the call could take away',
    where: 'runtime/perform/permit.ts',
    facts: ['checkpoint.taken', 'action.verdict'],
    otherwise: 'closed: not kept, so not run',
  },
  {
    stage: 'handed over with the calls that run beside it',
    where: 'runtime/perform/execute.ts',
    facts: ['step.end'],
    otherwise: 'paused by a hook behind the step',
  },
  {
    stage: 'made ready, and the start on the disk before the effect; a read needs no flush',
    where: 'runtime/perform/execute.ts',
    facts: ['attempt.start'],
    otherwise: 'closed: it could not be made ready; nothing was started',
  },
  {
    stage: 'claimed, run under its limits, captured and masked; settled by the world where its end was not seen',
    where: 'runtime/perform/execute.ts',
    facts: ['attempt.revoked'],
    otherwise: 'a question to a person, with evidence',
  },
  {
    stage: 'the outcome, with all that it proves; a long output lies in a blob',
    where: 'runtime/perform/execute.ts',
    facts: ['attempt.outcome'],
    otherwise: 'the store is full: the run stops, and whoever opens the session settles the attempt',
  },
];
