/**
 * What a replacement leaves in the user's folder for an instant: the new content under a temporary name, and the
 * displaced file under another. Both names are noted in the attempt's folder first, so that whoever settles the
 * attempt after a crash can tidy up, and both are left out of scans.
 */
import { close, constants, lstatSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { hashFileSync } from './blob-hash.ts';

export interface Leftovers {
  readonly target: string;
  readonly fresh: string;
  readonly kept: string;
}

const NAME = /^\.belay-[0-9a-z]{16}\.(new|old)$/;

export const isLeftoverName = (name: string): boolean => name.startsWith('.belay-') && NAME.test(name);

export function leftoversOf(target: string, id: string): Leftovers {
  const folder = dirname(target);
  return { target, fresh: join(folder, `.belay-${id}.new`), kept: join(folder, `.belay-${id}.old`) };
}

export function noteLeftovers(execFolder: string, ...all: readonly Leftovers[]): void {
  const lines = all.map((left) => `${JSON.stringify(left)}\n`);
  writeFileSync(join(execFolder, 'names'), lines.join(''), { mode: 0o600 });
}

export function readLeftovers(execFolder: string): readonly Leftovers[] {
  let text: string;
  try {
    text = readFileSync(join(execFolder, 'names'), 'utf8');
  } catch {
    return [];
  }
  // The last line may be torn: its writer then died before it touched anything.
  return text.split('\n').flatMap(parseLine);
}

function parseLine(line: string): Leftovers[] {
  try {
    const { target, fresh, kept } = JSON.parse(line) as Partial<Leftovers>;
    return target !== undefined && fresh !== undefined && kept !== undefined ? [{ target, fresh, kept }] : [];
  } catch {
    return [];
  }
}

/** Tidies up after a writer that died (see `putBack`); nothing of it is left lying around. */
export function clearLeftovers(execFolder: string, base: (target: string) => string | null): void {
  for (const left of readLeftovers(execFolder)) {
    putBack(left, base(left.target));
    dropNames(left);
  }
}

/** A displaced file that is not the `base` we meant to displace was somebody else's concurrent work: it is put back. */
export function putBack(left: Leftovers, base: string | null): void {
  const kept = lstatSync(left.kept, { throwIfNoEntry: false });
  if (kept === undefined) return;
  const target = lstatSync(left.target, { throwIfNoEntry: false });
  if (target === undefined || (target.ino !== kept.ino && hashFileSync(left.kept) !== base)) {
    renameSync(left.kept, left.target);
  }
}

/** `isLarge`: a system gives room back when nothing has the file open any more, so it is closed by another thread. */
export function dropNames(left: Leftovers, isLarge = false): void {
  const kept = isLarge ? openFile(left.kept) : null;
  rmSync(left.kept, { force: true });
  discardFresh(left);
  if (kept !== null) close(kept, () => {});
}

function openFile(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
}

/** Removes the fresh file if it still has its temporary name. */
export function discardFresh(left: Leftovers): void {
  rmSync(left.fresh, { force: true });
}
