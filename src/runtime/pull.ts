import type { Fact, PullNext, State } from '#kernel';
import { assertNever } from '#lib';
import type { Pull } from './contract.ts';

/** A pull as the caller sees it, with everything that is needed to answer it. */
export function toPull(next: PullNext, state: State, facts: () => Iterable<Fact>): Pull {
  const { turn } = state;
  switch (next.kind) {
    case 'awaitTool': {
      const wanted = new Set(next.actionIds);
      const calls = (turn?.open ?? [])
        .filter((action) => wanted.has(action.actionId))
        .map(({ actionId, stepId, tool, args }) => ({ actionId, stepId, tool, args }));
      return { kind: 'tool', state: 'awaiting_tool', reason: 'tool_call', calls };
    }
    case 'awaitApproval':
      return {
        kind: 'approval',
        state: 'idle',
        reason: `approval:${next.actionId}`,
        actionId: next.actionId,
        ...askedOf(facts(), next.actionId),
      };
    case 'pause':
      return {
        kind: 'pause',
        state: turn?.phase ?? 'idle',
        reason: next.reason,
        payload: { reason: next.reason },
        message: turn?.pause?.message ?? null,
      };
    case 'handoff':
      return { kind: 'handoff', state: 'idle', reason: next.reason, message: next.message, next: next.next };
    case 'finish':
      return {
        kind: 'finish',
        state: 'done',
        reason: turn?.outcome ?? 'failed',
        text: turn?.finalText ?? '',
        verified: turn?.claim.verdict?.accepted === true ? turn.claim.verdict.verified : null,
      };
    default:
      return assertNever(next);
  }
}

type Asked = Pick<Extract<Pull, { kind: 'approval' }>, 'preview' | 'always' | 'personOnly'>;

function askedOf(facts: Iterable<Fact>, actionId: string): Asked {
  let asked: Asked = { preview: null, always: [], personOnly: false };
  for (const fact of facts) {
    if (fact.type !== 'approval.requested' || fact.actionId !== actionId) continue;
    const { preview = null, always = [], personOnly = false } = fact;
    asked = { preview, always, personOnly };
  }
  return asked;
}
