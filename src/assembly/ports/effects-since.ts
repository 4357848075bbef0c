/** When, as seen from the last point to go back to, commands of this session could change files. */
import type { FactOf } from '#kernel';
import type { Ledger } from '#ledger';
import type { Span } from '#workspace';

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
 * The times at which commands were at work since the last point, those included that were at work then; empty where none
 * was. Each fact is looked at once.
 */
export function effectsSince(ledger: Pick<Ledger, 'find'>): () => readonly Span[] {
  const open = new Map<string, number>();
  /** Calls since the last point, also those that are over. */
  const starts = new Map<string, number>();
  /** What goes on behind its call without anybody who would tell of its end. */
  const lost = new Set<string>();
  let over: Span[] = [];
  let next: number | null = null;
  const end = (key: string, toMs: number) => {
    const fromMs = open.get(key);
    if (fromMs !== undefined) over.push({ fromMs, toMs: Math.max(fromMs, toMs) });
    open.delete(key);
  };
  const take = (fact: FactOf<(typeof types)[number]>): void => {
    switch (fact.type) {
      case 'checkpoint.taken':
        over = [];
        starts.clear();
        for (const key of lost) open.delete(key);
        lost.clear();
        break;
      case 'attempt.start':
        if (fact.effect === 'read' || fact.effect === 'file') break;
        open.set(fact.actionId, fact.ts);
        starts.set(fact.actionId, fact.ts);
        break;
      case 'attempt.outcome':
        if (fact.livesOn === true && open.has(fact.actionId)) lost.add(fact.actionId);
        else end(fact.actionId, fact.endedMs ?? fact.ts);
        break;
      case 'task.started':
        // It goes on after the outcome of its call.
        open.set(`task ${fact.actionId}`, starts.get(fact.actionId) ?? fact.ts - STARTED_WITHIN_MS);
        break;
      case 'task.ended':
        end(`task ${fact.actionId}`, fact.ts);
        break;
      case 'hook.started':
        open.set(`hook ${fact.attemptId}`, fact.ts);
        break;
      case 'hook.ended':
        end(`hook ${fact.attemptId}`, fact.ts);
        break;
      default:
        end(fact.actionId, fact.ts);
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
    const going = [...open.values()].map((fromMs): Span => ({ fromMs, toMs: null }));
    return [...over, ...going].sort((a, b) => a.fromMs - b.fromMs);
  };
}

/** A call that goes to the background was started before that is told; its start may lie before a point. */
const STARTED_WITHIN_MS = 60_000;
