/** What waits for a person: approvals and outcomes that nobody knows. */
import type { Fact, Json, Settling, State } from '#kernel';
import { callTitle } from './call-title.ts';

export interface PendingApproval {
  readonly actionId: string;
  readonly tool: string;
  readonly title: string;
  readonly input: Json;
  readonly reason: string;
  readonly preview: string | null;
}
export interface UnknownOutcome {
  readonly actionId: string;
  readonly tool: string;
  readonly title: string;
  /** What the world shows, as it was recorded. */
  readonly evidence: string;
  /** How it was tried to settle it, where that was tried. */
  readonly settling: Settling | null;
}

/** Takes secrets out of every text in a value, before any text is cut. */
export type Mask = <T>(value: T) => T;
const asItIs: Mask = (value) => value;

/** Approvals that were asked and not answered, oldest first. */
export function pendingApprovals(state: State, facts: Iterable<Fact>, mask: Mask = asItIs): PendingApproval[] {
  const turn = state.turn;
  if (turn === null || turn.outcome !== null) return [];
  const asked = turn.open.filter((action) => action.status === 'asked');
  if (asked.length === 0) return [];
  const requests = new Map<string, { readonly reason: string; readonly preview: string | null }>();
  for (const fact of facts) {
    if (fact.type === 'approval.requested') {
      requests.set(fact.actionId, mask({ reason: fact.reason, preview: fact.preview ?? null }));
    }
  }
  return asked.map(({ actionId, tool, args }) => {
    const input = mask(args);
    const { reason, preview } = requests.get(actionId) ?? { reason: '', preview: null };
    return { actionId, tool, title: callTitle(tool, input), input, reason, preview };
  });
}

/** Outcomes that are unknown and that nobody has answered, oldest first. */
export function openUnknowns(state: State, facts: Iterable<Fact>, mask: Mask = asItIs): UnknownOutcome[] {
  const open = state.unknowns.filter((unknown) => unknown.answer === null);
  if (open.length === 0) return [];
  const titles = new Map<string, string>();
  const evidence = new Map<string, { readonly text: string; readonly settling: Settling | null }>();
  for (const fact of facts) {
    if (fact.type === 'action.intended') titles.set(fact.actionId, callTitle(fact.tool, mask(fact.args)));
    if (fact.type === 'attempt.outcome' && fact.status === 'unknown') {
      evidence.set(fact.actionId, mask({ text: fact.output, settling: fact.settling ?? null }));
    }
  }
  return open.map((unknown) => ({
    actionId: unknown.actionId,
    tool: unknown.tool,
    title: titles.get(unknown.actionId) ?? unknown.tool,
    evidence: evidence.get(unknown.actionId)?.text ?? '',
    settling: evidence.get(unknown.actionId)?.settling ?? null,
  }));
}
