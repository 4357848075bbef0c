import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '../error-code.ts';
import { blobHash } from '../files/blob-hash.ts';

export interface ObjectFolder {
  put(hash: string, bytes: Uint8Array): void;
  /** Null when it is not here, or is damaged. */
  get(hash: string): Uint8Array | null;
  /** Bytes of everything that lies here. */
  bytes(): number;
}

/** Contents under their git blob hash, one file each. Half-written files never get the name. */
export function objectFolder(folder: string): ObjectFolder {
  return {
    put(hash, bytes) {
      const path = join(folder, hash);
      if (existsSync(path)) return;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const fresh = `${path}.${process.pid}`;
      try {
        writeFileSync(fresh, bytes, { mode: 0o600 });
        renameSync(fresh, path);
      } catch (error) {
        rmSync(fresh, { force: true });
        throw error;
      }
    },
    bytes() {
      if (!existsSync(folder)) return 0;
      return readdirSync(folder).reduce((sum, name) => sum + (lstatSync(join(folder, name), NO_THROW)?.size ?? 0), 0);
    },
    get(hash) {
      try {
        const bytes = readFileSync(join(folder, hash));
        return blobHash(bytes) === hash ? bytes : null;
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
  };
}

const NO_THROW = { throwIfNoEntry: false } as const;
