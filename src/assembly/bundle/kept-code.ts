/**
 * The compiled code of one file of the bundle, as an earlier run left it: the SHA-256 of what follows, a line that says of
 * which text it is and which commands had a part in it, and what V8 made. V8 believes what it is handed, so nothing is
 * that is not whole or of another text.
 */
import { hash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface KeptCode {
  /** Each of them ran once, so the functions that it calls are part of the code. */
  readonly commands: readonly string[];
  readonly data: Buffer;
}

/** V8 copies code that does not begin at a multiple of eight. */
const HEAD_BYTES = 1024;
const HASH_LETTERS = 64;
/** Of builds and versions of Node that nobody uses any more. */
const FILES_MAX = 24;

const fileOf = (folder: string, name: string): string =>
  path.join(folder, `${name}-${process.version}-${process.arch}`);

/** Null where there is none of this text, or not all of it. */
export function readCode(folder: string, name: string, text: string): KeptCode | null {
  try {
    const bytes = readFileSync(fileOf(folder, name));
    const rest = bytes.subarray(HASH_LETTERS);
    if (bytes.toString('latin1', 0, HASH_LETTERS) !== hash('sha256', rest)) return null;
    const [of, ...commands] = bytes.toString('latin1', HASH_LETTERS, HEAD_BYTES).trim().split(' ');
    return of === text ? { commands, data: bytes.subarray(HEAD_BYTES) } : null;
  } catch {
    return null;
  }
}

/** Losing it costs the time of compiling. Readers see the old file or the new one. */
export function writeCode(folder: string, name: string, text: string, { commands, data }: KeptCode): void {
  const words = `\n${[text, ...commands].join(' ')}`.padEnd(HEAD_BYTES - HASH_LETTERS - 1);
  const rest = Buffer.concat([Buffer.from(`${words}\n`, 'latin1'), data]);
  const file = fileOf(folder, name);
  const made = `${file}.${process.pid}`;
  try {
    writeFileSync(made, Buffer.concat([Buffer.from(hash('sha256', rest), 'latin1'), rest]), {
      mode: 0o600,
      flag: 'wx',
    });
    renameSync(made, file);
  } catch {
    removeAll([made]);
  }
}

/** Removes all but the newest files; Node's own cache is a folder among them. */
export function tidyCode(folder: string): void {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => path.join(folder, name));
    if (files.length <= FILES_MAX) return;
    const ages = new Map(files.map((file) => [file, statSync(file).mtimeMs]));
    files.sort((a, b) => (ages.get(b) ?? 0) - (ages.get(a) ?? 0));
    removeAll(files.slice(FILES_MAX));
  } catch {
    // Somebody else tidies.
  }
}

function removeAll(files: readonly string[]): void {
  try {
    for (const file of files) rmSync(file, { force: true });
  } catch {
    // What cannot be removed is passed over by whoever reads.
  }
}
