/**
 * Says what became of a file attempt whose executor is gone.
 *
 * Claim free: not started, and from now on it cannot. Claim taken: the marker says applied; without it the content
 * decides — all results there: applied; all bases there: not applied; anything else: diverged, a question to a person.
 *
 * After another boot neither claim nor marker is believed, for none of them was synced: only the content decides.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Fingerprint } from '#kernel';
import { revokeUnlessTaken } from '../claim.ts';
import type { FileSettlement } from '../contract.ts';
import { clearLeftovers } from './leftovers.ts';
import { hashPath } from './read-file.ts';
import { isProblem, type Resolve } from './resolve-path.ts';
import { syncWritten } from './sync-written.ts';

export async function settleFiles(
  resolve: Resolve,
  execFolder: string,
  files: readonly Fingerprint[],
  sameBoot: boolean,
): Promise<FileSettlement> {
  const free = revokeUnlessTaken(execFolder);
  if (free && sameBoot) return { state: 'not-started' };
  clearLeftovers(execFolder, (target) => baseOf(resolve, target, files));
  const found = await Promise.all(files.map(async (file) => ({ file, hash: await hashPath(resolve, file.path) })));
  const isApplied = found.every(({ file, hash }) => hash === file.result);
  if (sameBoot && existsSync(join(execFolder, 'applied'))) return { state: 'applied', changedSince: !isApplied };
  if (isApplied) {
    await finish(resolve, files);
    return { state: 'applied', changedSince: false };
  }
  if (found.every(({ file, hash }) => hash === file.base)) return { state: 'not-applied' };
  return { state: 'diverged', evidence: found.map(({ file, hash }) => describe(file, hash)).join('\n') };
}

/** Without the marker the writer may have died before its syncs. */
async function finish(resolve: Resolve, files: readonly Fingerprint[]): Promise<void> {
  for (const { path, result } of files) {
    const found = resolve(path);
    if (result !== null && !isProblem(found)) await syncWritten(found.absolute);
  }
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
