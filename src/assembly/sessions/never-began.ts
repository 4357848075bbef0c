/** Sessions whose program was stopped before it had recorded anything: nothing was done, and there is nothing to go on with. */
import type { Store, WritableLedger } from '#ledger';
import type { Result } from '#lib';
import type { Problem } from '#surfaces/cli';
import { problem } from '../problem.ts';

export const neverBegan = (sessionId: string): Result<never, Problem> =>
  problem(
    42,
    `session ${sessionId} was stopped before anything of it was recorded, so nothing was done; belay run --session ${sessionId} "…" begins it anew, belay sessions rm ${sessionId} removes it`,
  );

/** As `store.create`, and where a session of this name holds no fact, in its place. */
export async function createInPlace(store: Store, sessionId: string): Promise<WritableLedger> {
  try {
    return await store.create(sessionId);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'exists')) throw thrown;
    const { facts, damage, newer } = await store.openReader(sessionId);
    if (facts.length > 0 || damage !== null || newer.length > 0) throw thrown;
    // Refused as long as the program that makes it is alive.
    await store.remove(sessionId);
    return store.create(sessionId);
  }
}
