/** The few operations a ledger file needs, so that a test can let the Nth of them fail on a real file. */
import { closeSync, fdatasync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';

export interface Disk {
  open(path: string, flags: string, mode?: number): number;
  /** Bytes read or written, which may be fewer than asked for. */
  read(fd: number, into: Buffer, at: number, length: number, position: number): number;
  write(fd: number, from: Buffer, at: number, length: number, position: number): number;
  size(fd: number): number;
  truncate(fd: number, size: number): void;
  /** On the thread pool: a slow disk must not hold up the event loop. */
  datasync(fd: number): Promise<void>;
  close(fd: number): void;
}

export const realDisk: Disk = {
  open: openSync,
  read: readSync,
  write: writeSync,
  size: (fd) => fstatSync(fd).size,
  truncate: ftruncateSync,
  datasync: promisify(fdatasync),
  close: closeSync,
};
