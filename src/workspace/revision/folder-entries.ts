import { type Dirent, readdirSync } from 'node:fs';
import { errorCode } from '../error-code.ts';

/** A path as the file system takes it: text, or bytes where a name is no valid text. */
export type SystemPath = string | Buffer;

export interface Entry {
  /** Readable name; bytes that are no text are written as `\xHH`. No two entries of a folder have the same. */
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
    const entries = readdirSync(Buffer.from(folder as string), { withFileTypes: true, encoding: 'buffer' });
    const texts = new Set(entries.flatMap(({ name }) => textOf(name) ?? []));
    return entries.map((entry) => ({
      name: textOf(entry.name) ?? readableForm(entry.name, texts),
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

function textOf(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null;
}

/** A name that is a text may look just like it, and then has the better right to it. */
function readableForm(bytes: Buffer, texts: ReadonlySet<string>): string {
  const form = Array.from(bytes, (byte) =>
    byte < 128 ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`,
  ).join('');
  return texts.has(form) ? `${form}\\x` : form;
}

/** Whether a path can be the readable form of one that is no text, which names nothing by itself. */
export const isReadableForm = (path: string): boolean => /\\x[89a-f][0-9a-f]/.test(path);
