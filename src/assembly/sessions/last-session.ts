import type { Store } from '#ledger';
import { ok, type Result } from '#lib';
import type { Problem } from '#surfaces/cli';
import { attempt, problem } from '../problem.ts';
import { realFolder } from './open-workspace-at.ts';

/** The session last changed whose workspace is this folder or lies above it. */
export async function lastSession(store: Store, cwd: string): Promise<Result<string, Problem>> {
  const made = await attempt(async () => {
    const here = (await realFolder(cwd)) ?? cwd;
    for (const row of await store.list()) {
      if (row.workspace !== '' && (here === row.workspace || here.startsWith(`${row.workspace}/`))) {
        return ok(row.sessionId);
      }
    }
    return problem(42, `no session works in ${here}; belay sessions lists all of them`);
  });
  return made.ok ? made.value : made;
}
