import type { Fact, FactOf } from '#kernel';

type Probed = FactOf<'sandbox.probed'>;

/** What commands run in, in words. */
export const sandboxText = ({ level, network, detail }: Omit<Probed, 'type' | 'seq' | 'ts' | 'mode'>): string =>
  level === 'none' ? `none: ${detail}` : `${detail}, network ${network ? 'on' : 'off'}`;

/** What was recorded last; null where nothing was. */
export function sandboxSeen(facts: Iterable<Fact>): Pick<Probed, 'level' | 'network' | 'detail'> | null {
  let last: Probed | null = null;
  for (const fact of facts) if (fact.type === 'sandbox.probed') last = fact;
  return last === null ? null : { level: last.level, network: last.network, detail: last.detail };
}
