/** Since when, as seen from the last point to go back to, commands of this session could change files. */
import type { FactOf } from '#kernel';
import type { Ledger } from '#ledger';

const types = [
  'checkpoint.taken',
  'attempt.start',
  'attempt.outcome',
  'attempt.revoked',
  'task.started',
  'task.ended',
  'hook.started',
  'hook.ended',
] as const;

/**
 * Unix milliseconds at which the first command since the last point was started, or one that was at work then; null where
 * there was none. Each fact is looked at once.
 */
export function effectsSince(ledger: Pick<Ledger, 'find'>): () => number | null {
  const open = new Map<string, number>();
  /** Calls since the last point, also those that are over. */
  const starts = new Map<string, number>();
  let since: number | null = null;
  let next: number | null = null;
  const begin = (key: string, ts: number) => {
    open.set(key, ts);
    since ??= ts;
  };
  const take = (fact: FactOf<(typeof types)[number]>): void => {
    switch (fact.type) {
      case 'checkpoint.taken':
        since = open.size === 0 ? null : Math.min(...open.values());
        starts.clear();
        break;
      case 'attempt.start':
        if (fact.effect === 'read' || fact.effect === 'file') break;
        begin(fact.actionId, fact.ts);
        starts.set(fact.actionId, fact.ts);
        break;
      case 'task.started':
        // It goes on after the outcome of its call.
        begin(`task ${fact.actionId}`, starts.get(fact.actionId) ?? fact.ts - STARTED_WITHIN_MS);
        break;
      case 'task.ended':
        open.delete(`task ${fact.actionId}`);
        break;
      case 'hook.started':
        begin(`hook ${fact.attemptId}`, fact.ts);
        break;
      case 'hook.ended':
        open.delete(`hook ${fact.attemptId}`);
        break;
      default:
        open.delete(fact.actionId);
    }
  };
  return () => {
    if (next === null) {
      // What was at work before the last point and is not any more is of no concern here.
      next = [...ledger.find(['checkpoint.taken'])].at(-1)?.seq ?? 1;
      for (const fact of ledger.find(['task.started', 'task.ended'])) if (fact.seq < next) take(fact);
    }
    for (const fact of ledger.find(types, next)) {
      take(fact);
      next = fact.seq + 1;
    }
    return since;
  };
}

/** A call that goes to the background was started before that is told; its start may lie before a point. */
const STARTED_WITHIN_MS = 60_000;
