import { type Stats, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { holdsExactly } from './same-content.ts';

/**
 * Writes a new content under its temporary name and brings it to the disk, with mode and owner of the file that it
 * will replace. What a file system says it stored is read back: some report success for a write that fell short.
 */
export async function writeFresh(path: string, bytes: Uint8Array, before: Stats | null, mode?: number): Promise<void> {
  const handle = await open(path, 'wx', before === null ? 0o666 : 0o600);
  try {
    await writeAll(handle.fd, bytes);
    if (before !== null) {
      await keepOwner(handle, before);
      await handle.chmod(before.mode & 0o7777);
    } else if (mode !== undefined) await handle.chmod(mode & 0o7777);
    const { size } = await handle.stat();
    if (size !== bytes.byteLength) throw new Error(`only ${size} of ${bytes.byteLength} bytes were stored`);
    const synced = handle.sync();
    // Compared while the disk is at work.
    const isWhole = holdsExactly(path, bytes);
    await synced;
    if (!isWhole) throw new Error('what was stored is not what was written');
  } finally {
    await handle.close();
  }
}

const PIECE_BYTES = 4 * 1024 * 1024;

/** A piece is a copy into memory of the system, a millisecond: shorter than the way to another thread and back. */
async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength; ) {
    at += writeSync(file, bytes, at, Math.min(PIECE_BYTES, bytes.byteLength - at));
    if (at < bytes.byteLength) await nextTurn();
  }
}

/** Only root may give a file away; for others the owner is already right, or the system keeps them from editing. */
async function keepOwner(handle: FileHandle, before: Stats): Promise<void> {
  const now = await handle.stat();
  if (now.uid === before.uid && now.gid === before.gid) return;
  await handle.chown(before.uid, before.gid).catch(() => undefined);
}
