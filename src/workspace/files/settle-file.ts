/**
 * Says what became of a file attempt whose executor is gone.
 *
 * Claim free: not started, and from now on it cannot; but where the whole folder is gone and every result is there, applied. Claim taken: the marker says applied; without it the content
 * decides — all results there: applied; all bases there: not applied. Where of several files some were changed, and what
 * these displaced still has its second name, they are taken back: not applied. Anything else: diverged, a question to a
 * person.
 *
 * After another boot neither claim nor marker is believed, for none of them was synced: only the content decides.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fingerprint } from '#kernel';
import { revokeUnlessTaken } from '../claim.ts';
import type { FileSettlement } from '../contract.ts';
import { hashFileSync } from './blob-hash.ts';
import { dropNames, type Leftovers, putBack, readLeftovers } from './leftovers.ts';
import { hashPath } from './read-file.ts';
import { isProblem, type Resolve } from './resolve-path.ts';
import { syncWritten } from './sync-written.ts';

export async function settleFiles(
  resolve: Resolve,
  execFolder: string,
  files: readonly Fingerprint[],
  sameBoot: boolean,
): Promise<FileSettlement> {
  // No folder: nobody claimed, or somebody removed it all. Noted before it is made again, so that who asks twice hears the same.
  if (!existsSync(execFolder) && (await isThere(resolve, files))) writeMarker(execFolder);
  const isMarked = existsSync(join(execFolder, 'applied'));
  const free = revokeUnlessTaken(execFolder);
  if (free && sameBoot && !isMarked && readLeftovers(execFolder).length === 0) return { state: 'not-started' };
  const lefts = leftoversOfFiles(resolve, execFolder, files);
  for (const { left, file } of lefts) {
    if (file?.result !== null) putBack(left, typeof file?.base === 'string' ? file.base : null);
  }
  const look = () => Promise.all(files.map(async (file) => ({ file, hash: await hashPath(resolve, file.path) })));
  let found = await look();
  if (isHalfDone(found) && takeBackAll(found, lefts)) found = await look();
  for (const { left } of lefts) dropNames(left);
  const isApplied = found.every(({ file, hash }) => hash === file.result);
  if (sameBoot && isMarked) return { state: 'applied', changedSince: !isApplied };
  if (isApplied) {
    await finish(resolve, files);
    return { state: 'applied', changedSince: false };
  }
  if (found.every(({ file, hash }) => hash === file.base)) return { state: 'not-applied' };
  return { state: 'diverged', evidence: found.map(({ file, hash }) => describe(file, hash)).join('\n') };
}

/** Whether a change that would be seen is there, whoever made it. */
async function isThere(resolve: Resolve, files: readonly Fingerprint[]): Promise<boolean> {
  if (files.every(({ base, result }) => base === result)) return false;
  for (const { path, result } of files) if ((await hashPath(resolve, path)) !== result) return false;
  return true;
}

function writeMarker(execFolder: string): void {
  mkdirSync(execFolder, { recursive: true, mode: 0o700 });
  writeFileSync(join(execFolder, 'applied'), '', { mode: 0o600 });
}

/** Without the marker the writer may have died before its syncs. */
async function finish(resolve: Resolve, files: readonly Fingerprint[]): Promise<void> {
  for (const { path, result } of files) {
    const found = resolve(path);
    if (result !== null && !isProblem(found)) await syncWritten(found.absolute);
  }
}

interface Look {
  readonly file: Fingerprint;
  readonly hash: string | null;
}
interface Left {
  readonly left: Leftovers;
  /** Null where the names are of no file of the attempt. */
  readonly file: Fingerprint | null;
}

function leftoversOfFiles(resolve: Resolve, execFolder: string, files: readonly Fingerprint[]): readonly Left[] {
  return readLeftovers(execFolder).map((left) => {
    const file = files.find(({ path }) => {
      const found = resolve(path);
      return !isProblem(found) && found.absolute === left.target;
    });
    return { left, file: file ?? null };
  });
}

const isHalfDone = (found: readonly Look[]): boolean =>
  found.every(({ file, hash }) => hash === file.base || hash === file.result) &&
  found.some(({ file, hash }) => hash !== file.base) &&
  found.some(({ file, hash }) => hash !== file.result);

/** Takes the changed files back, if that is possible for every one of them. */
function takeBackAll(found: readonly Look[], lefts: readonly Left[]): boolean {
  const steps: (() => void)[] = [];
  for (const { file, hash } of found) {
    if (hash === file.base) continue;
    const left = lefts.find((one) => one.file === file)?.left;
    if (left === undefined) return false;
    const kept = existsSync(left.kept) ? hashFileSync(left.kept) : null;
    // A file that is new is ours as long as it still has its temporary name, too.
    if (file.base === null ? !existsSync(left.fresh) : kept !== file.base) return false;
    steps.push(() => (file.base === null ? rmSync(left.target) : renameSync(left.kept, left.target)));
  }
  for (const step of steps) step();
  return true;
}

function describe(file: Fingerprint, hash: string | null): string {
  const is = hash === file.result ? 'holds the new content' : hash === file.base ? 'holds the old content' : '';
  if (is !== '') return `${file.path} ${is}`;
  return `${file.path} ${hash === null ? 'does not exist' : `holds something else (${hash.slice(0, 12)})`}`;
}
