/**
 * Large content by its SHA-256. A blob is on disk before its hash is told, so a fact never names what is not there;
 * what is read is checked, because a blob is as much part of the record as the fact that names it.
 */
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { LedgerError, systemError } from './error.ts';
import { makeFolders, syncFolder, writeDurably } from './folders.ts';
import { readRegular } from './regular.ts';

export interface Blobs {
  put(bytes: Uint8Array): Promise<string>;
  /** `missing` if there is none, `damaged` if the content is not what the name says. */
  get(hash: string): Promise<Uint8Array>;
}

const HASH = /^[0-9a-f]{64}$/;

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Blobs as files of a folder, which is made with the first of them if it is not there. */
export function fileBlobs(folder: string): Blobs {
  const get = async (hash: string): Promise<Uint8Array> => {
    const path = join(folder, hash);
    if (!HASH.test(hash)) throw missing(hash);
    const bytes = readBlob(path, hash);
    if (hashOf(bytes) !== hash) throw new LedgerError('damaged', `the content of ${path} was changed`, { path });
    return bytes;
  };
  let isKept = false;
  /** Those whose name is on disk for sure: whoever wrote another may have died, or failed, before it was. */
  const kept = new Set<string>();
  /** Whoever made the folder may have died before its name was on disk, so that it is there proves nothing. */
  const keepFolder = async (): Promise<void> => {
    if (isKept) return;
    makeFolders(folder);
    await syncFolder(dirname(folder));
    isKept = true;
  };
  return {
    async put(bytes) {
      const hash = hashOf(bytes);
      try {
        await get(hash);
        if (!kept.has(hash)) {
          await keepFolder();
          await syncFolder(folder);
        }
      } catch {
        // Absent or damaged: either way the content at hand is the right one.
        await keepFolder();
        await writeDurably(join(folder, hash), bytes);
      }
      kept.add(hash);
      return hash;
    },
    get,
  };
}

function readBlob(path: string, hash: string): Uint8Array {
  try {
    return readRegular(path);
  } catch (thrown) {
    const error = systemError(thrown, path);
    throw error.code === 'missing' ? missing(hash, path) : error;
  }
}

export function memoryBlobs(): Blobs {
  const blobs = new Map<string, Uint8Array>();
  return {
    async put(bytes) {
      const hash = hashOf(bytes);
      blobs.set(hash, Uint8Array.from(bytes));
      return hash;
    },
    async get(hash) {
      const bytes = blobs.get(hash);
      if (bytes === undefined) throw missing(hash);
      return Uint8Array.from(bytes);
    },
  };
}

const missing = (hash: string, path?: string): LedgerError =>
  new LedgerError('missing', `there is no blob ${hash}`, path === undefined ? {} : { path });
