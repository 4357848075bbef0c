import type { Perform } from '#kernel';
import { assertNever } from '#lib';
import { authorize, work } from './perform/authorize.ts';
import { backoff, complete, repair, signal, suspend, verify, windDown } from './perform/end.ts';
import { execute, handOver, reflect } from './perform/execute.ts';
import { callModel, commit } from './perform/plan.ts';
import { reconcile } from './perform/reconcile.ts';
import type { Batches, Run } from './run.ts';

/** Does what `decide` said, yielding facts as they become true. The driver appends each batch before it asks for more. */
export function perform(run: Run, next: Perform): Batches {
  switch (next.kind) {
    case 'callModel':
      return callModel(run);
    case 'commit':
      return commit(run);
    case 'work':
      return work(run, next.stepId);
    case 'authorize':
      return authorize(run, next.stepId, next.forbidden);
    case 'handOver':
      return handOver(run, next.actionIds);
    case 'execute':
      return execute(run, next.actionIds);
    case 'reconcile':
      return reconcile(run, next.actionIds);
    case 'reflect':
      return reflect(run);
    case 'advance':
      return one({ type: 'phase.enter', to: next.to });
    case 'verify':
      return verify(run);
    case 'repair':
      return repair(run);
    case 'signal':
      return signal(run, next);
    case 'backoff':
      return backoff(run, next);
    case 'suspend':
      return suspend(run, next);
    case 'windDown':
      return windDown(run);
    case 'resume':
      return one({ type: 'session.resume', to: next.to });
    case 'complete':
      return complete(run, next);
    default:
      return assertNever(next);
  }
}

async function* one(fact: Parameters<Run['ports']['ledger']['append']>[0][number]): Batches {
  yield { facts: [fact] };
}
