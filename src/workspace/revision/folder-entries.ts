import { type Dirent, readdirSync } from 'node:fs';
import { errorCode } from '../error-code.ts';

/** A path as the file system takes it: text, or bytes where a name is no valid text. */
export type SystemPath = string | Buffer;

export interface Entry {
  /** Readable name; bytes that are no text are written as `\xHH`. */
  readonly name: string;
  readonly path: SystemPath;
  readonly kind: 'file' | 'link' | 'folder' | 'other';
}

/** Entries of a folder in no particular order; null when it cannot be read, empty when it is gone. */
export function folderEntries(folder: SystemPath): readonly Entry[] | null {
  try {
    if (typeof folder === 'string') {
      const entries = readdirSync(folder, { withFileTypes: true });
      // The replacement character says that a name was no valid text, or is a valid one: only bytes can tell.
      if (!entries.some(({ name }) => name.includes('\u{fffd}'))) {
        return entries.map((entry) => ({ name: entry.name, path: `${folder}/${entry.name}`, kind: kindOf(entry) }));
      }
    }
    const base = Buffer.concat([Buffer.from(folder as string), Buffer.from('/')]);
    return readdirSync(Buffer.from(folder as string), { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
      name: readableName(entry.name),
      path: Buffer.concat([base, entry.name]),
      kind: kindOf(entry),
    }));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
    return null;
  }
}

function kindOf(entry: Dirent | Dirent<NonSharedBuffer>): Entry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

function readableName(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (Buffer.from(text, 'utf8').equals(bytes)) return text;
  return Array.from(bytes, (byte) =>
    byte < 128 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}
