/**
 * Whether the user trusts what the configuration of a repository would start.
 *
 * 1. Trust is of a content: the digest covers every file that may start something, byte for byte, the files of the
 *    repository that its commands name, and those that shell scripts among them start or read in turn by a literal path.
 *    Any change of them revokes it.
 * 2. What is started is read from the texts that were digested, never read again.
 * 3. What starts outside the sandbox is compared once more before each start, as far as its files go.
 * 4. It lies in the data folder, by the real path of the repository: a copy elsewhere is not trusted.
 * 5. Nothing is followed out of the repository, and nothing is run here.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { type ConfigFile, namedFiles, readStarters, type Starter, startedByScript, starterFiles } from '#permission';
import { replaceFile } from '../settings/replace-file.ts';

export interface RepositoryTrust {
  /** Null where nothing would be started: then there is nothing to trust. */
  readonly digest: string | null;
  readonly starters: readonly Starter[];
  /** The texts that the digest covers. */
  readonly files: readonly ConfigFile[];
  /** Files of the repository that the commands name, and those that they start in turn. */
  readonly named: readonly string[];
  /** What starts outside the sandbox comes from these: configuration, and the files that hooks and servers name. */
  readonly outside: ReadonlyMap<string, string>;
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
    return { digest: null, starters, files, named: [], outside: new Map(), trusted: false, changed: false };
  }
  const isOutside = ({ kind }: Starter): boolean => kind !== 'check';
  const texts = files.map(({ name, text }): readonly [string, string] => [name, hashOf(text)]);
  const ofHooks = await filesFrom(root, namedFiles(starters.filter(isOutside), root));
  const ofChecks = await filesFrom(
    root,
    namedFiles(
      starters.filter((one) => !isOutside(one)),
      root,
    ),
  );
  const named = new Map([...ofChecks, ...ofHooks].sort(([a], [b]) => (a < b ? -1 : 1)));
  const hash = createHash('sha256');
  for (const [name, part] of [...texts, ...named]) hash.update(`${JSON.stringify(name)} ${part}\n`);
  const digest = hash.digest('hex');
  const known = await recorded(root, home);
  return {
    digest,
    starters,
    files,
    named: [...named.keys()],
    outside: new Map([...texts, ...ofHooks]),
    trusted: known === digest,
    changed: known !== null && known !== digest,
  };
}

/** The digests of what is there, and of what shell scripts among it start or read. */
async function filesFrom(root: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const waiting = [...names];
  const seen = new Set<string>();
  for (let name = waiting.shift(); name !== undefined && found.size < namedMax; name = waiting.shift()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const bytes = await readInside(root, name, namedBytesMax);
    if (bytes === null) continue;
    found.set(name, hashOf(bytes));
    waiting.push(...startedByScript(name, bytes.toString('utf8')));
  }
  return found;
}

const hashOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex');

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
