/** The few operations a ledger file needs, so that a test can let the Nth of them fail on a real file. */
import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { openRegular } from '../regular.ts';

export interface Disk {
  open(path: string, flags: string, mode?: number): number;
  /** Bytes read or written, which may be fewer than asked for. */
  read(fd: number, into: Buffer, at: number, length: number, position: number): number;
  write(fd: number, from: Buffer, at: number, length: number, position: number): number;
  size(fd: number): number;
  /** The same of the file that is written: an error where it has no name any more, so that nobody would ever read it. */
  sizeToWrite?(fd: number): number;
  truncate(fd: number, size: number): void;
  /** On the thread pool: a slow disk must not hold up the event loop. */
  datasync(fd: number): Promise<void>;
  close(fd: number): void;
}

export const realDisk: Disk = {
  // What is there already may be anything; what is made anew is a file.
  open: (path, flags, mode) =>
    flags === 'r' || flags === 'r+' ? openRegular(path, flags) : openSync(path, flags, mode),
  read: readSync,
  write: writeSync,
  size: (fd) => fstatSync(fd).size,
  sizeToWrite(fd) {
    const { size, nlink } = fstatSync(fd);
    if (nlink === 0) throw new Error('it was removed while it was written');
    return size;
  },
  truncate: ftruncateSync,
  datasync: promisify(fdatasync),
  close: closeSync,
};

/** Up to `length` bytes from `position` on; fewer only where the file ends. */
export function readFully(disk: Disk, fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readInto(disk, fd, bytes, position));
}

/** Fills `bytes` from `position` on, as far as the file goes. Returns how many it read. */
export function readInto(disk: Disk, fd: number, bytes: Buffer, position: number): number {
  let got = 0;
  while (got < bytes.length) {
    const n = disk.read(fd, bytes, got, bytes.length - got, position + got);
    if (n === 0) break;
    got += n;
  }
  return got;
}

/** All of `bytes` from index `from` on. Throws what the system says when there is no room for the rest. */
export function writeFully(disk: Disk, fd: number, bytes: Buffer, from: number, position: number): void {
  let at = from;
  while (at < bytes.length) {
    const wrote = disk.write(fd, bytes, at, bytes.length - at, position + at - from);
    if (wrote <= 0) throw new Error('the system wrote nothing');
    at += wrote;
  }
}
