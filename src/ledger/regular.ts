/** Only regular files are read: a pipe would be waited for, for ever, and a device has no end. */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { LedgerError } from './error.ts';

/** Opens what must be a regular file. Throws `LedgerError` `damaged` for anything else, and what the system says. */
export function openRegular(path: string, flags: 'r' | 'r+'): number {
  const access = flags === 'r' ? constants.O_RDONLY : constants.O_RDWR;
  const fd = openSync(path, access | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw new LedgerError('damaged', `${path} is no regular file`, { path });
    return fd;
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

const ANEW = constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK;

/** Writes a small file anew, over what it held: emptied first it would cost the system an allocation. Hands out what is open. A pipe that nobody reads is refused by the system, not waited for; throws what it says. */
export function openAnew(path: string, text: string): number {
  const fd = openSync(path, ANEW, 0o600);
  try {
    const bytes = Buffer.from(text);
    writeFileSync(fd, bytes);
    if (fstatSync(fd).size > bytes.length) ftruncateSync(fd, bytes.length);
    return fd;
  } catch (thrown) {
    closeSync(fd);
    throw thrown;
  }
}

/** The whole of a regular file; throws as `openRegular` does. */
export function readRegular(path: string): Buffer {
  const fd = openRegular(path, 'r');
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}
