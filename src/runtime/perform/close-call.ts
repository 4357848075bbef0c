import type { BodyOf, OpenAction } from '#kernel';
import type { Batches, Run } from '../run.ts';
import { fireQuietly } from './fire.ts';

/** Closes a call that will never run: its verdict is its result. */
export async function* closeCall(
  run: Run,
  action: OpenAction,
  verdict: 'deny' | 'abort' | 'skip',
  by: BodyOf<'action.verdict'>['by'],
  reason: string,
  message: string,
): Batches {
  const outcome = verdict === 'skip' ? 'skipped' : 'error';
  yield {
    facts: [
      { type: 'action.verdict', actionId: action.actionId, verdict, by, reason, message },
      { type: 'step.end', stepId: action.stepId, outcome },
    ],
  };
  if (verdict === 'skip') return;
  const error = verdict === 'abort' ? `hook_abort:${reason}` : message;
  const step = { id: action.stepId, tool: action.tool, args: action.args };
  yield* fireQuietly(run, 'on_error', action.actionId, { step, error });
}
