import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '#lib';
import { newId } from '../new-id.ts';

/**
 * A file of the user's is the old or the new one at every instant, also when the power fails, and keeps its mode. It is
 * the user's alone where it is new. Throws what the system says; then the file is as it was. An error without
 * a `code` says otherwise.
 */
export async function replaceFile(target: string, text: string): Promise<void> {
  const folder = path.dirname(target);
  const fresh = `${target}.${newId()}`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const mode = (await stat(target).catch(() => null))?.mode ?? 0o600;
  try {
    const handle = await open(fresh, 'wx', mode & 0o777);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, target);
  } catch (thrown) {
    await rm(fresh, { force: true });
    throw thrown;
  }
  try {
    const opened = await open(folder, 'r');
    await opened.sync().finally(() => opened.close());
  } catch (thrown) {
    throw new Error(`${target} was written, but may be lost when the power fails: ${messageOf(thrown)}`);
  }
}
