import { closeSync, fchmodSync, fchownSync, fstatSync, openSync, type Stats, writeSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { syncOpen } from './open-file.ts';
import { type Content, holdsExactly, piecesOf, sizeOf } from './same-content.ts';

/**
 * Writes a new content under its temporary name and brings it to the disk, with mode and owner of the file that it
 * will replace. What a file system says it stored is read back: some report success for a write that fell short.
 */
export async function writeFresh(path: string, content: Content, before: Stats | null, mode?: number): Promise<void> {
  const fd = openSync(path, 'wx', before === null ? 0o666 : 0o600);
  const syncs: Promise<void>[] = [];
  try {
    await writeAll(fd, content, syncs);
    if (before !== null) {
      keepOwner(fd, before);
      // Under another owner these bits would hand out the rights of whoever edits.
      const isOwn = fstatSync(fd).uid === before.uid;
      fchmodSync(fd, before.mode & (isOwn ? 0o7777 : 0o1777));
    } else if (mode !== undefined) fchmodSync(fd, mode & 0o7777);
    const [stored, wanted] = [fstatSync(fd).size, sizeOf(content)];
    if (stored !== wanted) throw new Error(`only ${stored} of ${wanted} bytes were stored`);
    syncs.push(syncOpen(fd));
    // Compared while the disk is at work.
    const isWhole = holdsExactly(path, content);
    await Promise.all(syncs);
    if (!isWhole) throw new Error('what was stored is not what was written');
  } finally {
    // The number of an open file is not given back while another thread works with it.
    await Promise.allSettled(syncs);
    closeSync(fd);
  }
}

const PIECE_BYTES = 4 * 1024 * 1024;
/** Behind so many bytes the disk begins with them, while the rest is still copied. */
const BEGIN_BYTES = 2 * PIECE_BYTES;

/** A piece is a copy into memory of the system, a millisecond: shorter than the way to another thread and back. */
async function writeAll(fd: number, content: Content, syncs: Promise<void>[]): Promise<void> {
  let written = 0;
  for (const piece of piecesOf(content)) {
    for (let at = 0; at < piece.byteLength; ) {
      const length = writeSync(fd, piece, at, Math.min(PIECE_BYTES, piece.byteLength - at));
      at += length;
      written += length;
      if (syncs.length === 0 && written >= BEGIN_BYTES) {
        syncs.push(syncOpen(fd));
        // It is heard when all is written.
        syncs[0]?.catch(() => {});
      }
      if (at < piece.byteLength) await nextTurn();
    }
  }
}

/** Only root may give a file away; a group that the user is in can be kept by everybody. */
function keepOwner(fd: number, before: Stats): void {
  const now = fstatSync(fd);
  if (now.uid === before.uid && now.gid === before.gid) return;
  try {
    fchownSync(fd, before.uid, before.gid);
  } catch {
    keepGroup(fd, now.uid, before.gid);
  }
}

function keepGroup(fd: number, uid: number, gid: number): void {
  try {
    fchownSync(fd, uid, gid);
  } catch {
    // The system does not let the user: the file is told to be the user's own.
  }
}
