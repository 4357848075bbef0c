/** Sessions of which no beginning is recorded: stopped before there was one, or damaged there. */
import path from 'node:path';
import type { BodyOf, Fact } from '#kernel';
import type { Store, WritableLedger } from '#ledger';
import { counted, ok, type Result } from '#lib';
import type { Problem } from '#surfaces/cli';
import { problem } from '../problem.ts';
import { version } from '../version.ts';
import { realFolder } from './open-workspace-at.ts';

/** Why a session whose folder nobody knows cannot go on as it is; `facts` is how many there are. */
export const neverBegan = (sessionId: string, facts = 0): Result<never, Problem> =>
  problem(
    42,
    facts === 0
      ? `session ${sessionId} was stopped before anything of it was recorded, so nothing was done; belay run --session ${sessionId} "…" begins it anew, belay sessions rm ${sessionId} removes it`
      : `the record of how session ${sessionId} began is lost, and with it the folder it works in; ${counted(facts, 'fact')} of it can be read: belay log, sessions show and sessions export; belay resume ${sessionId} --cwd DIR "…" goes on in the folder that you name`,
  );

/**
 * A fork takes over the facts of another session in several writes; what it adds to them comes with the last one. Stopped
 * before that it has calls under way that are none of its own, so nobody goes on with it. Null for everything else.
 */
export function halfFork(
  sessionId: string,
  created: BodyOf<'session.created'> | undefined,
  lastSeq: number,
): Result<never, Problem> | null {
  if (created?.parent === undefined || lastSeq > created.parent.seq) return null;
  return problem(
    42,
    `session ${sessionId} is a fork that was stopped before it was whole; belay sessions rm ${sessionId} removes it, belay fork ${created.parent.sessionId} --at ${created.parent.seq} makes another`,
  );
}

/** Where damage took the first fact, the user can name the folder again, relative to `here`: the facts that tell it. */
export async function beginningAnew(
  ledger: WritableLedger,
  cwd: string | undefined,
  here: string,
): Promise<Result<readonly Fact[], Problem>> {
  const { sessionId, lastSeq } = ledger;
  if (lastSeq === 0 || cwd === undefined) return neverBegan(sessionId, lastSeq);
  const folder = path.resolve(here, cwd);
  const workspace = await realFolder(folder);
  if (workspace === null) return problem(42, `${folder} is not an existing folder`);
  return ok(await ledger.append([{ type: 'session.created', sessionId, workspace, version }]));
}

/**
 * As `store.create`, and where a session of this name holds no fact, in its place. That is seen under its lock: of many
 * who begin it at once one goes on; for the others it is locked, or exists.
 */
export async function createInPlace(store: Store, sessionId: string): Promise<WritableLedger> {
  try {
    return await store.create(sessionId);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'exists')) throw thrown;
    const ledger = await store.openWriter(sessionId);
    if (ledger.lastSeq === 0) return ledger;
    await ledger.close();
    throw thrown;
  }
}
