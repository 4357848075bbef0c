/**
 * The eleven events of the public loop contract, as a view of the facts: each has the seq of its one fact. Facts that
 * bear an event's own name pass; `tool.call`, `tool.result` and `tool.error` are read off verdicts and outcomes.
 */
import type { Fact, Json } from './facts.ts';

export const contractEventTypes = [
  'session.start',
  'plan.draft',
  'plan.commit',
  'step.start',
  'step.end',
  'tool.call',
  'tool.result',
  'tool.error',
  'budget.warn',
  'session.pause',
  'session.complete',
] as const;
export type ContractEventType = (typeof contractEventTypes)[number];

export interface ContractEvent {
  readonly type: ContractEventType;
  readonly seq: number;
  readonly ts: number;
  readonly sessionId: string;
  readonly turnId: string;
  readonly payload: { readonly [name: string]: Json };
}

/** Feed facts in order from the first one; each gives at most one event. */
export function contractView(): (fact: Fact) => ContractEvent | null {
  let sessionId = '';
  let turnId = '';
  const calls = new Map<string, { tool: string; args: Json; step: string }>();
  const event = (fact: Fact, type: ContractEventType, payload: ContractEvent['payload']): ContractEvent => ({
    type,
    seq: fact.seq,
    ts: fact.ts,
    sessionId,
    turnId,
    payload,
  });
  const closing = (fact: Fact, actionId: string, result: { error?: string; result?: Json }): ContractEvent => {
    const step = calls.get(actionId)?.step ?? '';
    calls.delete(actionId);
    return result.error === undefined
      ? event(fact, 'tool.result', { step, action_id: actionId, result: result.result ?? null })
      : event(fact, 'tool.error', { step, action_id: actionId, error: result.error });
  };

  return (fact) => {
    switch (fact.type) {
      case 'session.created':
        sessionId = fact.sessionId;
        return null;
      case 'session.start':
        turnId = fact.turnId;
        return event(fact, 'session.start', { goal: fact.goal });
      case 'plan.draft':
        return event(fact, 'plan.draft', { steps: fact.steps as unknown as Json });
      case 'plan.commit':
        return event(fact, 'plan.commit', { count: fact.steps.length, steps: fact.steps as unknown as Json });
      case 'action.intended':
        calls.set(fact.actionId, { tool: fact.tool, args: fact.args, step: fact.stepId ?? '' });
        return null;
      case 'hook.decided': {
        const call = fact.actionId === undefined ? undefined : calls.get(fact.actionId);
        if (fact.decision === 'rewrite' && call !== undefined && fact.args !== undefined) call.args = fact.args;
        return null;
      }
      case 'step.start': {
        const call = fact.actionId === undefined ? undefined : calls.get(fact.actionId);
        if (call !== undefined) call.step = fact.stepId;
        return event(fact, 'step.start', { step_id: fact.stepId, desc: fact.description ?? '' });
      }
      case 'step.end':
        return event(fact, 'step.end', { step_id: fact.stepId, outcome: fact.outcome });
      case 'action.verdict': {
        const call = calls.get(fact.actionId);
        if (fact.verdict === 'allow') {
          return event(fact, 'tool.call', {
            step: call?.step ?? '',
            action_id: fact.actionId,
            tool: call?.tool ?? '',
            args: call?.args ?? null,
          });
        }
        return closing(fact, fact.actionId, { error: verdictError(fact.verdict, fact.reason) });
      }
      case 'attempt.outcome': {
        if (fact.status === 'succeeded') return closing(fact, fact.actionId, { result: fact.data ?? fact.output });
        return closing(fact, fact.actionId, { error: fact.failure?.message ?? `${fact.status}: ${fact.output}` });
      }
      case 'budget.warn':
        return event(fact, 'budget.warn', { limit: fact.limit, used: fact.used, max: fact.max });
      case 'session.pause':
        return event(fact, 'session.pause', { reason: fact.reason });
      case 'session.complete':
        return event(fact, 'session.complete', { reason: fact.reason });
      default:
        return null;
    }
  };
}

function verdictError(verdict: 'deny' | 'abort' | 'skip' | 'cancel', reason: string | undefined): string {
  switch (verdict) {
    case 'abort':
      return `hook_abort:${reason ?? ''}`;
    case 'skip':
      return 'skipped';
    case 'cancel':
      return 'cancelled';
    case 'deny':
      return `rejected: ${reason ?? ''}`;
  }
}
