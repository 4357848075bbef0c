import { decide, type Fact, fold } from '#kernel';
import { openUnknowns, pendingApprovals, standingOf } from '#surfaces/view';

/**
 * What a ledger of an earlier release must go on to mean. Only what users were told is in it, so that the state may
 * change its shape and the summary stays.
 */
export function summaryOf(facts: readonly Fact[]) {
  const state = fold(facts);
  const { exitCode, reason, verified } = standingOf(state);
  return {
    facts: facts.length,
    types: countsOf(facts.map((fact) => fact.type)),
    exitCode,
    reason,
    verified,
    next: decide(state).kind,
    phase: state.turn?.phase ?? null,
    text: state.turn?.finalText ?? null,
    checks: state.evidence.map(({ check, passed, counts, exitCode: code }) => ({
      check,
      passed,
      counts,
      exitCode: code,
    })),
    pending: pendingApprovals(state, facts).map(({ tool, title }) => ({ tool, title })),
    unknown: openUnknowns(state, facts).map(({ tool, title, settling }) => ({ tool, title, settling })),
    answered: state.unknowns.flatMap(({ tool, answer }) => (answer === null ? [] : [{ tool, answer }])),
    settled: facts.flatMap((fact) => ('settling' in fact && fact.settling ? [[fact.type, fact.settling.verdict]] : [])),
    totals: {
      rounds: state.totals.rounds,
      toolCalls: state.totals.toolCalls,
      inputTokens: state.totals.inputTokens,
      outputTokens: state.totals.outputTokens,
    },
  };
}

export type Summary = ReturnType<typeof summaryOf>;

function countsOf(words: readonly string[]): { readonly [word: string]: number } {
  const counts: { [word: string]: number } = {};
  for (const word of words.toSorted()) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
