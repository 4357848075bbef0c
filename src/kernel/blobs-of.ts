import type { FactBody } from './facts.ts';

/** Every blob that a fact names: a ledger is whole only together with them. */
export function blobsOf(fact: FactBody): readonly string[] {
  const own = 'blob' in fact && fact.blob !== undefined ? [fact.blob] : [];
  const shown = fact.type === 'attempt.outcome' ? (fact.attachments ?? []) : [];
  return [...own, ...shown.map(({ blob }) => blob)];
}
