import type { ModelDelta } from '#kernel';
import type { ModelCallContext } from './contract.ts';

/** Nobody hears a late delta, and a listener that throws does not break the answer: deltas are for live display only. */
export function tell(context: ModelCallContext, delta: ModelDelta): void {
  if (context.signal.aborted) return;
  try {
    context.onDelta(delta);
  } catch {
    // The answer itself comes whole, with the result.
  }
}
