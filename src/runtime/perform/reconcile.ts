/** What another executor started is settled: revoked where it never began, else recorded as the world tells it. */

import { messageOf } from '#lib';
import type { ToolResult } from '../contract.ts';
import type { Batches, Settler } from '../run.ts';
import { context, isStoreFull, opened, outcomeFacts } from './receipt.ts';
import { release, unlessRecorded } from './tasks.ts';
import { whatChanged } from './what-changed.ts';

export async function* reconcile(run: Settler, actionIds: readonly string[]): Batches {
  for (const action of opened(run, actionIds)) {
    const attemptId = action.attempt?.attemptId;
    if (attemptId === undefined) continue;
    if (action.effect === 'read') {
      yield { facts: [{ type: 'attempt.revoked', attemptId, actionId: action.actionId }] };
      continue;
    }
    const base = action.attempt?.base ?? null;
    const settled = await run.ports.tools
      .settle(action.tool, action.args, base, context(run, action, attemptId))
      .catch((thrown: unknown) => {
        // Want of space is no answer: with room again the same question is asked again, and answered.
        if (isStoreFull(thrown)) throw thrown;
        const output = `It could not be found out whether this call took effect: ${messageOf(thrown)}`;
        return { state: 'settled' as const, outcome: { status: 'unknown' as const, output } };
      });
    // An interrupted wait settles nothing: the next executor asks again. After a cancel there is no next one.
    const isInterrupted = run.signal.aborted && run.state().turn?.cancelled !== true;
    if (isInterrupted && settled.state === 'settled' && settled.outcome.status === 'unknown') return;
    if (settled.state === 'not-started') {
      // The folder stays: its claim is what keeps an executor that only slept from starting later.
      const settling = settled.settling === undefined ? {} : { settling: settled.settling };
      yield { facts: [{ type: 'attempt.revoked', attemptId, actionId: action.actionId, ...settling }] };
      continue;
    }
    run.scanWanted = true;
    const isAsked = settled.outcome.status === 'unknown' && action.effect !== 'file';
    const lines = isAsked ? yield* whatChanged(run, action) : [];
    const output = [settled.outcome.output, ...lines].join('\n');
    const outcome: ToolResult = { provenance: 'reconciled', ...settled.outcome, output };
    const { tasks } = run.state();
    yield { facts: unlessRecorded(run, await outcomeFacts(run, action.actionId, attemptId, outcome)) };
    if (outcome.status !== 'unknown') release(run, attemptId, tasks);
  }
}
