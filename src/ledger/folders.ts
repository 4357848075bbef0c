/** Durable small steps on files and folders: 0700, 0600, and names that survive a power loss. */
import { randomFillSync } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeId } from '#lib';
import { systemError } from './error.ts';

export const randomId = (): string => makeId((bytes) => randomFillSync(bytes));

/** Makes a folder and those above it, all 0700. Throws `LedgerError`. */
export function makeFolders(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (thrown) {
    throw systemError(thrown, path);
  }
}

/** Syncs the names inside a folder. File systems that cannot do it answer EINVAL, which changes nothing for us. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EINVAL')) throw thrown;
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
