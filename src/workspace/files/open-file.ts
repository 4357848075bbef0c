/**
 * What takes long with an open file or folder, done without holding up the event loop. Everything else with it is done
 * at once: the way to another thread and back takes longer than opening, looking or closing does.
 */
import { fsync, read } from 'node:fs';

/** The number of bytes read. */
export const readAt = (fd: number, into: Uint8Array, at: number, length: number, position: number): Promise<number> =>
  new Promise((done, failed) => {
    read(fd, into, at, length, position, (error, bytesRead) => (error === null ? done(bytesRead) : failed(error)));
  });

/** Brings content and attributes to the disk. */
export const syncOpen = (fd: number): Promise<void> =>
  new Promise((done, failed) => {
    fsync(fd, (error) => (error === null ? done() : failed(error)));
  });
