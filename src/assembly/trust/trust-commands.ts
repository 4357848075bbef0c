import path from 'node:path';
import { ok, type Result } from '#lib';
import type { Problem, TrustReport } from '#surfaces/cli';
import { attempt, problem } from '../problem.ts';
import { realFolder } from '../sessions/open-workspace-at.ts';
import { giveTrust, repositoryTrust, revokeTrust } from './repository-trust.ts';

type Asked<T> = Promise<Result<T, Problem>>;

export const lookAtTrust = (folder: string, home: string): Asked<TrustReport> =>
  at(folder, async (root) => {
    const { digest, starters, named, beyond, trusted, changed } = await repositoryTrust(root, home);
    return ok({ workspace: root, digest, starters, named, beyond, trusted, changed });
  });

/** Refused where the content is not any more what was shown. */
export const recordTrust = (folder: string, digest: string, home: string): Asked<null> =>
  at(folder, async (root) => {
    const now = await repositoryTrust(root, home);
    if (now.digest !== digest) return problem(55, 'the configuration changed while you looked at it; look again');
    const given = await attempt(() => giveTrust(root, home, digest), home);
    return given.ok ? ok(null) : problem(given.error.exitCode, `nothing was changed: ${given.error.message}`);
  });

export const dropTrust = (folder: string, home: string): Asked<null> =>
  at(folder, async (root) => {
    await revokeTrust(root, home);
    return ok(null);
  });

async function at<T>(folder: string, work: (root: string) => Asked<T>): Asked<T> {
  const root = await realFolder(path.resolve(folder));
  return root === null ? problem(42, `${folder} is not an existing folder`) : work(root);
}
