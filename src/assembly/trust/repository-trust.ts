/**
 * Whether the user trusts what the configuration of a repository would start.
 *
 * 1. Trust is of a content: the digest covers every file that may start something, byte for byte, the files of the
 *    repository that its commands name, and those that scripts among them start or load in turn by a literal name.
 *    Any change of them revokes it. What it does not cover is told, as far as it can be seen.
 * 2. What is started is read from the texts that were digested, never read again.
 * 3. What starts outside the sandbox is compared once more before each start, as far as its files go.
 * 4. It lies in the data folder, by the real path of the repository: a copy elsewhere is not trusted.
 * 5. Nothing is followed out of the repository, and nothing is run here.
 */
import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  type ConfigFile,
  loadedByScript,
  namedFiles,
  readStarters,
  runnersIn,
  type Starter,
  starterFiles,
} from '#permission';
import { replaceFile } from '../settings/replace-file.ts';

export interface RepositoryTrust {
  /** Null where nothing would be started: then there is nothing to trust. */
  readonly digest: string | null;
  readonly starters: readonly Starter[];
  /** The texts that the digest covers. */
  readonly files: readonly ConfigFile[];
  /** Files of the repository that the commands name, and those that they start in turn. */
  readonly named: readonly string[];
  /** What would start outside the sandbox and the digest does not cover, as far as that can be seen; in words. */
  readonly beyond: readonly string[];
  /** What starts outside the sandbox comes from these: configuration, and the files that hooks and servers name. */
  readonly outside: ReadonlyMap<string, string>;
  readonly trusted: boolean;
  /** It was trusted with another content. */
  readonly changed: boolean;
}

const textBytesMax = 256 * 1024;
const namedBytesMax = 32 * 1024 * 1024;
const scriptBytesMax = 1024 * 1024;
const namedMax = 300;
/** Names that are looked for; most of what a script may mean is not there. */
const namesMax = 20_000;

/** `root` is a real path. */
export async function repositoryTrust(root: string, home: string): Promise<RepositoryTrust> {
  const files: ConfigFile[] = [];
  for (const name of starterFiles) {
    const bytes = await readInside(root, name, textBytesMax);
    if (bytes !== null) files.push({ name, text: bytes.toString('utf8') });
  }
  const starters = readStarters(files);
  if (starters.length === 0) {
    return { digest: null, starters, files, named: [], beyond: [], outside: new Map(), trusted: false, changed: false };
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
  const named = new Map([...ofChecks.found, ...ofHooks.found].sort(([a], [b]) => (a < b ? -1 : 1)));
  const hash = createHash('sha256');
  for (const [name, part] of [...texts, ...named]) hash.update(`${JSON.stringify(name)} ${part}\n`);
  const digest = hash.digest('hex');
  const known = await recorded(root, home);
  return {
    digest,
    starters,
    files,
    named: [...named.keys()],
    beyond: [...starters.filter(isOutside).flatMap(throughRunners), ...ofHooks.beyond],
    outside: new Map([...texts, ...ofHooks.found]),
    trusted: known === digest,
    changed: known !== null && known !== digest,
  };
}

const throughRunners = ({ command, file }: Starter): readonly string[] =>
  runnersIn(command).map((runner) => `what ${runner} starts in a command of ${file}`);

interface Covered {
  readonly found: ReadonlyMap<string, string>;
  readonly beyond: readonly string[];
}

/** The digests of what is there, and of what scripts among it start or load. */
async function filesFrom(root: string, names: readonly string[]): Promise<Covered> {
  const found = new Map<string, string>();
  const beyond: string[] = [];
  const waiting = [...names];
  const seen = new Set<string>();
  for (let i = 0; i < waiting.length; i++) {
    const name = waiting[i] ?? '';
    if (seen.has(name)) continue;
    if (found.size >= namedMax || seen.size >= namesMax) {
      beyond.push(`more than the first ${found.size} files`);
      break;
    }
    seen.add(name);
    const bytes = await readInside(root, name, namedBytesMax, stampOf);
    if (bytes === null) continue;
    found.set(name, hashOf(bytes));
    const isScript = bytes.byteLength <= scriptBytesMax;
    const { files, beyond: more } = isScript ? loadedByScript(name, bytes.toString('utf8')) : wholeUnread;
    waiting.push(...files);
    beyond.push(...more.map((what) => `${what}, loaded by ${name}`));
  }
  return { found, beyond };
}

/** Of a file that is too long to be read before each start: no change of it keeps both. */
const stampOf = ({ size, mtimeMs }: Stats): Buffer => Buffer.from(`${size} bytes, changed at ${mtimeMs}`);

const wholeUnread = { files: [], beyond: ['what a file of this length may load'] };

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

/** Null for what is no regular file of the repository; `longer` stands for one that is too long. */
async function readInside(
  root: string,
  name: string,
  bytesMax: number,
  longer: (stat: Stats) => Buffer | null = () => null,
): Promise<Buffer | null> {
  try {
    const real = await realpath(path.join(root, name));
    if (!real.startsWith(root.endsWith('/') ? root : `${root}/`)) return null;
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stat = await file.stat();
      if (!stat.isFile()) return null;
      return stat.size <= bytesMax ? await file.readFile() : longer(stat);
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
