/**
 * Contents in a private object store with the layout of a bare git directory, so that git's own tools can read it. We
 * write the objects ourselves: no git runs, so no configuration, filter or hook of anybody has a part in it.
 */
import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { rename, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, inflateSync } from 'node:zlib';
import { isMissing } from '../error-code.ts';
import { blobHash } from '../files/blob-hash.ts';

export interface LooseObjects {
  /** Whether it is here; a content in use is marked as such, so that pruning by age passes it over. */
  has(hash: string): boolean;
  /** Stores bytes under their blob hash and tells how many bytes that took; half-written objects never get the name. */
  put(hash: string, bytes: Uint8Array): Promise<number>;
  /** Null when it is not here, or is damaged. */
  get(hash: string): Uint8Array | null;
}

const pack = promisify(deflate);
/** Marking once a day is enough for an age limit of weeks. */
const TOUCH_AFTER_MS = 24 * 3_600_000;

/** What git must see to take a folder for a repository, and what keeps it from ever changing a byte of ours. */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tautocrlf = false
\tfsmonitor = false
\thooksPath = /dev/null
\tattributesFile = /dev/null
[gc]
\tauto = 0
[protocol]
\tallow = never
`;
const ATTRIBUTES = '* -filter -text -ident -eol -working-tree-encoding\n';

/** `folder` is made when the first object is stored. */
export function looseObjects(folder: string): LooseObjects {
  const pathOf = (hash: string) => join(folder, 'objects', hash.slice(0, 2), hash.slice(2));
  let counter = 0;
  let laidOut = false;
  return {
    has(hash) {
      const path = pathOf(hash);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) return false;
      const now = Date.now();
      if (now - stat.mtimeMs > TOUCH_AFTER_MS) utimesSync(path, now / 1000, now / 1000);
      return true;
    },
    async put(hash, bytes) {
      if (!laidOut) layOut(folder);
      laidOut = true;
      const path = pathOf(hash);
      const head = Buffer.from(`blob ${bytes.byteLength}\0`, 'latin1');
      const packed = await pack(Buffer.concat([head, bytes]), { level: 1 });
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const fresh = join(dirname(path), `tmp_obj_${process.pid}_${++counter}`);
      await writeFile(fresh, packed, { mode: 0o400 });
      await rename(fresh, path);
      await utimes(path, Date.now() / 1000, Date.now() / 1000).catch(() => undefined);
      return packed.byteLength;
    },
    get(hash) {
      try {
        const whole = inflateSync(readFileSync(pathOf(hash)));
        const bytes = whole.subarray(whole.indexOf(0) + 1);
        return blobHash(bytes) === hash ? bytes : null;
      } catch (error) {
        if (isMissing(error) || isDamage(error)) return null;
        throw error;
      }
    },
  };
}

const isDamage = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));

function layOut(folder: string): void {
  for (const part of ['objects', 'refs', 'info']) mkdirSync(join(folder, part), { recursive: true, mode: 0o700 });
  const files = { HEAD: 'ref: refs/heads/none\n', config: CONFIG, 'info/attributes': ATTRIBUTES };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, { mode: 0o600 });
}
