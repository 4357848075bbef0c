import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../error-code.ts';

/**
 * Brings a file and its name to the disk. Whoever finds the work of a writer that died must do this before calling it
 * done: the writer had perhaps not come to it, and a power loss would still take the file back.
 */
export async function syncWritten(file: string): Promise<void> {
  await sync(file);
  await sync(dirname(file));
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems cannot sync a folder; the content itself is synced.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR'].includes(errorCode(error))) throw error;
  } finally {
    await handle.close();
  }
}
