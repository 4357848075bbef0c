import type { Json, State } from '#kernel';
import type { Session } from '#runtime';
import { openUnknowns, pendingApprovals } from './open-items.ts';
import { sandboxSeen } from './sandbox-text.ts';
import { type Ending, standingOf } from './standing-of.ts';

/** The JSON result: the one object of `--output-format json` and the last event of `stream-json`. */
export interface ResultObject {
  readonly type: 'result';
  readonly subtype: 'success' | 'error';
  readonly is_error: boolean;
  readonly session_id: string;
  readonly exit_code: number;
  readonly reason: string;
  readonly message: string;
  readonly verified: boolean | null;
  readonly result: string;
  readonly num_turns: number;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_read_input_tokens: number;
    /** Requests whose tokens the provider did not report: the sums above leave them out. */
    readonly requests_without_usage: number;
  };
  /** USD; null where the price of the model is not known. */
  readonly cost_usd: number | null;
  readonly pending: readonly {
    readonly action_id: string;
    readonly tool: string;
    readonly input: Json;
    readonly reason: string;
    readonly preview: string | null;
  }[];
  /** What commands ran in last; null where nothing was recorded of it. */
  readonly sandbox: { readonly level: string; readonly network: boolean; readonly detail: string } | null;
  readonly unknown: readonly { readonly action_id: string; readonly tool: string; readonly evidence: string }[];
}

export function resultObject(
  sessionId: string,
  state: State,
  { find }: Pick<Session, 'find'>,
  priced: boolean,
  ending: Ending = {},
): ResultObject {
  const standing = standingOf(state, ending);
  const { totals } = state;
  return {
    type: 'result',
    subtype: standing.exitCode === 0 ? 'success' : 'error',
    is_error: standing.exitCode !== 0,
    session_id: sessionId,
    exit_code: standing.exitCode,
    reason: standing.reason,
    message: standing.message,
    verified: standing.verified,
    result: standing.text,
    num_turns: totals.rounds,
    usage: {
      input_tokens: totals.inputTokens,
      output_tokens: totals.outputTokens,
      cache_read_input_tokens: totals.cachedInputTokens,
      requests_without_usage: totals.unpricedRequests,
    },
    cost_usd: priced ? totals.costUsd : null,
    sandbox: sandboxSeen(find(['sandbox.probed'])),
    pending: pendingApprovals(state, find(['approval.requested'])).map((item) => ({
      action_id: item.actionId,
      tool: item.tool,
      input: item.input,
      reason: item.reason,
      preview: item.preview,
    })),
    unknown: openUnknowns(state, find(['action.intended', 'attempt.outcome'])).map((item) => ({
      action_id: item.actionId,
      tool: item.tool,
      evidence: item.evidence,
    })),
  };
}
