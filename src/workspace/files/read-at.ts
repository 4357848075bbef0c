import { read } from 'node:fs';

/** Reads from an open file without holding up the event loop; the number of bytes read. */
export const readAt = (fd: number, into: Uint8Array, at: number, length: number, position: number): Promise<number> =>
  new Promise((done, failed) => {
    read(fd, into, at, length, position, (error, bytesRead) => (error === null ? done(bytesRead) : failed(error)));
  });
