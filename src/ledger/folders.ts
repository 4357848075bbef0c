/** Durable small steps on files and folders: 0700, 0600, and names that survive a power loss. */
import { randomFillSync } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeId } from '#lib';
import { errnoOf, LedgerError, systemError } from './error.ts';

export const randomId = (): string => makeId((bytes) => randomFillSync(bytes));

/**
 * Makes a folder and those above it, all 0700, and returns those it made. Throws `LedgerError`. Step by step: with `recursive` Node never comes
 * back where a folder answers ENOENT to the making of an entry, as `/proc` does.
 */
export function makeFolders(path: string): readonly string[] {
  const missing: string[] = [];
  for (let place = path; !existsSync(place) && dirname(place) !== place; place = dirname(place)) missing.push(place);
  missing.reverse();
  for (const place of missing) makeFolder(place);
  return missing;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (thrown) {
    const errno = errnoOf(thrown);
    // Somebody else made it meanwhile.
    if (errno === 'EEXIST' && existsSync(path)) return;
    if (errno !== 'ENOENT' && errno !== 'ENOTDIR') throw systemError(thrown, path);
    throw new LedgerError('readonly', `the folder ${path} cannot be made (${errno})`, { path }, { cause: thrown });
  }
}

/** Syncs the names inside a folder. File systems that cannot do it answer EINVAL, which changes nothing for us. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EINVAL') throw thrown;
  } finally {
    await folder.close();
  }
}

/** Temporary name, sync, rename, sync of the folder: after it returns the whole file is there, or an error was thrown. */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.${randomId()}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncFolder(folder);
  } catch (thrown) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw systemError(thrown, path);
  }
}
