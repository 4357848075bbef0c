/**
 * What a replacement leaves in the user's folder for an instant: the new content under a temporary name, and the
 * displaced file under another. Both names are noted in the attempt's folder first, so that whoever settles the
 * attempt after a crash can tidy up, and both are left out of scans.
 */
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

export function noteLeftovers(execFolder: string, left: Leftovers): void {
  writeFileSync(join(execFolder, 'names'), `${JSON.stringify(left)}\n`, { mode: 0o600 });
}

/**
 * Tidies up after a writer that died. A displaced file that is not the `base` we meant to displace was somebody
 * else's concurrent work: it is put back.
 */
export function clearLeftovers(execFolder: string, base: (target: string) => string | null): void {
  const left = readNames(execFolder);
  if (left === null) return;
  const kept = lstatSync(left.kept, { throwIfNoEntry: false });
  if (kept !== undefined) {
    const target = lstatSync(left.target, { throwIfNoEntry: false });
    const displaced =
      target === undefined || (target.ino !== kept.ino && hashFileSync(left.kept) !== base(left.target));
    if (displaced) renameSync(left.kept, left.target);
    else rmSync(left.kept, { force: true });
  }
  rmSync(left.fresh, { force: true });
}

function readNames(execFolder: string): Leftovers | null {
  try {
    const left = JSON.parse(readFileSync(join(execFolder, 'names'), 'utf8')) as Partial<Leftovers>;
    const { target, fresh, kept } = left;
    return target !== undefined && fresh !== undefined && kept !== undefined ? { target, fresh, kept } : null;
  } catch {
    return null;
  }
}
