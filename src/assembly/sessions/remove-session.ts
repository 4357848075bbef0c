/**
 * `belay sessions rm`: a session goes with everything that it remembers.
 *
 * 1. Not while something of it still runs: then nobody would end that, and nobody would record what it did.
 * 2. What its commands left in the workspace that starts programs later is put away first, because only the session
 *    knows of it.
 * 3. Contents of files that its workspace keeps to go back to are shared with other sessions: they go with the last one.
 */
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Store } from '#ledger';
import type { Result } from '#lib';
import type { Problem } from '#surfaces/cli';
import { isAttemptAlive } from '#workspace';
import { newId } from '../new-id.ts';
import { attempt } from '../problem.ts';
import { checkpointsIn, sharedFolder } from './open-workspace-at.ts';

/** What the user is told of it, a sentence each. */
export async function removeSession(store: Store, sessionId: string): Promise<Result<readonly string[], Problem>> {
  return attempt(async () => {
    const notices: string[] = [];
    let root: string | null = null;
    await store.remove(sessionId, async (folder) => {
      if (await isAtWork(folder)) throw refusal(sessionId);
      root = await workspaceOf(store, sessionId);
      if (root !== null) notices.push(...(await putAway(folder, sharedFolder(store.home, root), root)));
    });
    if (root !== null && !(await forgetContents(store, root))) {
      const until = 'until the last of them is removed, or for up to 30 days';
      notices.push(
        `contents of files that were kept for an undo are shared with other sessions of ${root}; they stay ${until}`,
      );
    }
    return notices;
  }, store.home);
}

const refusal = (sessionId: string): Error =>
  Object.assign(
    new Error(
      `a command of session ${sessionId} still runs; wait for its end, or belay resume ${sessionId} (Ctrl-C there stops it), then remove it`,
    ),
    { exitCode: 42 },
  );

/** Whatever its ledger tells or does not: every command has a folder of its own. */
async function isAtWork(folder: string): Promise<boolean> {
  const exec = path.join(folder, 'exec');
  return (await readdir(exec).catch(() => [])).some((name) => isAttemptAlive(path.join(exec, name)));
}

/** Null where its ledger does not tell. */
async function workspaceOf(store: Store, sessionId: string): Promise<string | null> {
  const facts = await store.openReader(sessionId).then(
    (report) => report.facts,
    () => [],
  );
  const created = facts.find((fact) => fact.type === 'session.created');
  return created?.type === 'session.created' ? created.workspace : null;
}

async function putAway(sessionFolder: string, shared: string, root: string): Promise<readonly string[]> {
  const { absentBefore, forgetAbsent } = await import('../sandbox/absent-places.ts');
  const before = absentBefore(sessionFolder);
  const isEmpty = before.absent.length === 0 && before.repositories === undefined;
  const told = isEmpty ? [] : (await import('../sandbox/open-sandbox.ts')).putAwayLeft([before], root, null);
  forgetAbsent({ sessionFolder, shared, bootId: '' });
  return [...before.told, ...told];
}

/** False where other sessions of the workspace, or some that do not tell theirs, may still need them. */
async function forgetContents(store: Store, root: string): Promise<boolean> {
  const others = await store.list();
  if (
    others.some(
      ({ workspace, damaged, state }) => workspace === root || (workspace === '' && (damaged || state === 'unknown')),
    )
  )
    return false;
  const shared = sharedFolder(store.home, root);
  const leaving = path.join(shared, `.leaving-${newId()}`);
  // In one step, so that a session which begins now finds all of it or nothing.
  await rename(checkpointsIn(shared), leaving).catch(() => {});
  for (const name of await readdir(shared).catch(() => [])) {
    if (name.startsWith('.leaving-') || name === 'scan.json')
      await rm(path.join(shared, name), { recursive: true, force: true });
  }
  return true;
}
