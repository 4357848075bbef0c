/**
 * Whether the user trusts what the configuration of a repository would start.
 *
 * 1. Trust is of a content: the digest covers every file that may start something, byte for byte, and the files of the
 *    repository that its commands name. Any change of them revokes it.
 * 2. What is started is read from the texts that were digested, never read again.
 * 3. It lies in the data folder, by the real path of the repository: a copy elsewhere is not trusted.
 * 4. Nothing is followed out of the repository, and nothing is run here.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { type ConfigFile, namedFiles, readStarters, type Starter, starterFiles } from '#permission';
import { replaceFile } from '../settings/replace-file.ts';

export interface RepositoryTrust {
  /** Null where nothing would be started: then there is nothing to trust. */
  readonly digest: string | null;
  readonly starters: readonly Starter[];
  /** The texts that the digest covers. */
  readonly files: readonly ConfigFile[];
  /** Files of the repository that the commands name. */
  readonly named: readonly string[];
  readonly trusted: boolean;
  /** It was trusted with another content. */
  readonly changed: boolean;
}

const textBytesMax = 256 * 1024;
const namedBytesMax = 4 * 1024 * 1024;
const namedMax = 100;

/** `root` is a real path. */
export async function repositoryTrust(root: string, home: string): Promise<RepositoryTrust> {
  const files: ConfigFile[] = [];
  for (const name of starterFiles) {
    const bytes = await readInside(root, name, textBytesMax);
    if (bytes !== null) files.push({ name, text: bytes.toString('utf8') });
  }
  const starters = readStarters(files);
  if (starters.length === 0) {
    return { digest: null, starters, files, named: [], trusted: false, changed: false };
  }
  const hash = createHash('sha256');
  const take = (name: string, bytes: string | Buffer) => {
    const part = createHash('sha256').update(bytes).digest('hex');
    hash.update(`${JSON.stringify(name)} ${part}\n`);
  };
  for (const { name, text } of files) take(name, text);
  const named: string[] = [];
  for (const name of namedFiles(starters).slice(0, namedMax)) {
    const bytes = await readInside(root, name, namedBytesMax);
    if (bytes === null) continue;
    named.push(name);
    take(name, bytes);
  }
  const digest = hash.digest('hex');
  const known = await recorded(root, home);
  return { digest, starters, files, named, trusted: known === digest, changed: known !== null && known !== digest };
}

export async function giveTrust(root: string, home: string, digest: string): Promise<void> {
  await replaceFile(fileOf(root, home), `${JSON.stringify({ workspace: root, digest })}\n`);
}

export const revokeTrust = (root: string, home: string): Promise<void> => rm(fileOf(root, home), { force: true });

const fileOf = (root: string, home: string): string =>
  path.join(home, 'trust', `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.json`);

async function recorded(root: string, home: string): Promise<string | null> {
  try {
    const known: unknown = JSON.parse(await readFile(fileOf(root, home), 'utf8'));
    const { workspace, digest } = known as { readonly workspace?: unknown; readonly digest?: unknown };
    return workspace === root && typeof digest === 'string' ? digest : null;
  } catch {
    return null;
  }
}

/** Null for what is no regular file of the repository, or is too long. */
async function readInside(root: string, name: string, bytesMax: number): Promise<Buffer | null> {
  try {
    const real = await realpath(path.join(root, name));
    if (!real.startsWith(root.endsWith('/') ? root : `${root}/`)) return null;
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = await file.stat();
      return stat.isFile() && stat.size <= bytesMax ? await file.readFile() : null;
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
