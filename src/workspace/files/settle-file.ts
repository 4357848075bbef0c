/**
 * Says what became of a file attempt whose executor is gone.
 *
 * Claim free: not started, and from now on it cannot. Claim taken: the marker says applied; without it the content
 * decides — all results there: applied; all bases there: not applied; anything else: diverged, a question to a person.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Fingerprint } from '#kernel';
import { readClaim, revokeClaim } from '../claim.ts';
import type { FileSettlement } from '../contract.ts';
import { clearLeftovers } from './leftovers.ts';
import { hashPath } from './read-file.ts';
import { isProblem, type Resolve } from './resolve-path.ts';

export async function settleFiles(
  resolve: Resolve,
  execFolder: string,
  files: readonly Fingerprint[],
): Promise<FileSettlement> {
  if (revokeClaim(execFolder) || readClaim(execFolder).kind !== 'taken') return { state: 'not-started' };
  clearLeftovers(execFolder, (target) => baseOf(resolve, target, files));
  const found = await Promise.all(files.map(async (file) => ({ file, hash: await hashPath(resolve, file.path) })));
  const isApplied = found.every(({ file, hash }) => hash === file.result);
  if (existsSync(join(execFolder, 'applied'))) return { state: 'applied', changedSince: !isApplied };
  if (isApplied) return { state: 'applied', changedSince: false };
  if (found.every(({ file, hash }) => hash === file.base)) return { state: 'not-applied' };
  return { state: 'diverged', evidence: found.map(({ file, hash }) => describe(file, hash)).join('\n') };
}

function baseOf(resolve: Resolve, target: string, files: readonly Fingerprint[]): string | null {
  const file = files.find(({ path }) => {
    const found = resolve(path);
    return !isProblem(found) && found.absolute === target;
  });
  return typeof file?.base === 'string' ? file.base : null;
}

function describe(file: Fingerprint, hash: string | null): string {
  const is = hash === file.result ? 'holds the new content' : hash === file.base ? 'holds the old content' : '';
  if (is !== '') return `${file.path} ${is}`;
  return `${file.path} ${hash === null ? 'does not exist' : `holds something else (${hash.slice(0, 12)})`}`;
}
