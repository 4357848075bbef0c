import type { BodyOf, Fact } from '#kernel';
import type { Ledger } from '#ledger';
import { messageTypes } from '#runtime';

/** What commands did this long before the end may not have reached the disk when the power went. */
const unconfirmedMs = 60_000;

const visitorsTypes: ReadonlySet<string> = new Set(messageTypes);

/**
 * The fact that the machine was restarted since this session was last driven; null where it was not. Outcomes of
 * commands in its last minute are named, because a page cache that was lost may have held their effects.
 */
export function bootChange(facts: Iterable<Fact>, presentBoot: string): BodyOf<'boot.changed'> | null {
  let boot: string | null = null;
  let endMs = 0;
  let isDriven = false;
  const commands = new Set<string>();
  const succeeded = new Map<string, number>();
  for (const fact of facts) {
    if (fact.type === 'executor.attached') {
      boot = fact.bootId;
      isDriven = true;
    }
    // What visitors leave and a repair adds may come long after the restart, and nobody was told of it then.
    if (fact.type === 'record.lost' || fact.type === 'ledger.repaired') isDriven = false;
    if (isDriven && !visitorsTypes.has(fact.type)) endMs = fact.ts;
    if (fact.type === 'executor.detached') isDriven = false;
    if (fact.type === 'boot.changed') boot = fact.to;
    if (fact.type === 'attempt.start' && fact.effect === 'process') commands.add(fact.actionId);
    if (fact.type === 'attempt.outcome' && fact.status === 'succeeded' && commands.has(fact.actionId)) {
      succeeded.set(fact.actionId, fact.ts);
    }
    // That a background command started is no end of it.
    if (fact.type === 'task.started') succeeded.delete(fact.actionId);
    if (fact.type === 'task.ended' && fact.status === 'exited') succeeded.set(fact.actionId, fact.ts);
  }
  if (boot === null || boot === presentBoot) return null;
  const recent = [...succeeded].filter(([, ts]) => endMs - ts <= unconfirmedMs);
  return { type: 'boot.changed', from: boot, to: presentBoot, unconfirmed: recent.map(([actionId]) => actionId) };
}

/** The same of a ledger, which is read only where the boot is another one. */
export function bootChangeOf(
  ledger: Pick<Ledger, 'find' | 'read'>,
  presentBoot: string,
): BodyOf<'boot.changed'> | null {
  const [last] = [...ledger.find(['executor.attached', 'boot.changed'])].slice(-1);
  const boot = last?.type === 'boot.changed' ? last.to : last?.bootId;
  return boot === undefined || boot === presentBoot ? null : bootChange(ledger.read(), presentBoot);
}
