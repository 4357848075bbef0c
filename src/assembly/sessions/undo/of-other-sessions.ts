/**
 * Files that another session on the same workspace changed by an edit while a command of this one ran. A look cannot
 * tell whose they are; the receipts of the other session can.
 */
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Fact, LeftAlone, Restoration } from '#kernel';
import type { Store } from '#ledger';
import type { Desk } from './desk.ts';

export async function ofOtherSessions(
  store: Store,
  desk: Desk,
  files: readonly Restoration[],
): Promise<readonly LeftAlone[]> {
  const own = receiptsOf(desk.facts());
  const doubtful = files.filter(({ path: one, base }) => !own.has(receipt(one, base)));
  if (doubtful.length === 0) return [];
  const left = new Map<string, LeftAlone>();
  for (const sessionId of await sessionsSince(desk)) {
    const facts = await store.openReader(sessionId).then(
      (report) => report.facts,
      () => [],
    );
    const [first] = facts;
    if (first?.type !== 'session.created' || first.workspace !== desk.place.workspace.root) continue;
    const theirs = receiptsOf(facts.filter(({ seq }) => seq > (first.parent?.seq ?? 0)));
    for (const { path: one, base } of doubtful) {
      if (theirs.has(receipt(one, base))) left.set(one, { path: one, why: `session ${sessionId} made it so` });
    }
  }
  return [...left.values()];
}

const receipt = (one: string, hash: unknown): string => `${typeof hash === 'string' ? hash : '-'} ${one}`;

const receiptsOf = (facts: readonly Fact[]): ReadonlySet<string> =>
  new Set(
    facts.flatMap((fact) =>
      fact.type === 'attempt.outcome' ? (fact.files ?? []).map(({ path: one, result }) => receipt(one, result)) : [],
    ),
  );

/** Other sessions whose ledger was written to since this one began. */
async function sessionsSince(desk: Desk): Promise<readonly string[]> {
  const begun = desk.facts()[0]?.ts ?? 0;
  const folder = path.dirname(desk.folder);
  const found: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    if (name === path.basename(desk.folder)) continue;
    const ledger = await stat(path.join(folder, name, 'ledger.log')).catch(() => null);
    if (ledger !== null && ledger.mtimeMs >= begun) found.push(name);
  }
  return found;
}
