import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';

/** Flags under which a file is written anew: a pipe that nobody reads is refused by the system, not waited for. */
export const WRITE_ANEW = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NONBLOCK;

/**
 * The bytes of a file that others may have laid there. Only a regular file is read, and only up to `bytesMax`: a pipe
 * would be waited for, a device has no end. A link is followed, except its target is none such. Null for what is not
 * read; throws what the system says of what is not there.
 */
export function readRegular(path: string, bytesMax: number): Buffer | null {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(fd);
    return stat.isFile() && stat.size <= bytesMax ? readFileSync(fd) : null;
  } finally {
    closeSync(fd);
  }
}
