/**
 * A new git worktree with the files as a point says they were. Git is asked for the worktree and its index only; every
 * file is written by ourselves, so no hook, filter or monitor of the repository runs.
 */
import { lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { err, messageOf, ok, type Result } from '#lib';
import type { WorktreePlace, WorktreeRequest } from '../contract.ts';
import { readRegular } from '../files/read-regular.ts';
import { runTool } from '../process/run-tool.ts';
import { gitDirOf } from '../revision/git-index.ts';
import { isLink, parseSide } from './side.ts';

const SAFE = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.allow=never',
  'safe.bareRepository=explicit',
].flatMap((setting) => ['-c', setting]);
const TIMEOUT_MS = 60_000;
const OUTPUT_BYTES_MAX = 1024 * 1024;
const AT_ONCE = 100;

/** Paths that could not be brought there; the error is a sentence. Where it fails or throws, nothing of it is left. */
export async function addWorktree(request: WorktreeRequest): Promise<Result<readonly string[], string>> {
  const { root, folder } = request;
  if (gitDirOf(root) === null) return err(`${root} is not the top folder of a git repository`);
  const isThere = lstatSync(folder, { throwIfNoEntry: false }) !== undefined;
  if (isRegistered(root, folder)) {
    const what = isThere ? 'is a worktree already; if an interrupted fork left it' : 'was a worktree that is gone';
    const loses = isThere ? ' (with all that is in it)' : '';
    return err(
      `${folder} ${what}: git worktree remove --force --force ${quoted(folder)} removes it${loses}, then try again`,
    );
  }
  if (isThere) return err(`${folder} exists already`);
  mkdirSync(dirname(folder), { recursive: true });
  const added = await git(request, root, ['worktree', 'add', '--detach', '--no-checkout', folder, 'HEAD']);
  if (added !== null) return err(`git made no worktree: ${added}`);
  try {
    // Only the index: without it every file would look deleted and new at once.
    const indexed = await git(request, folder, ['read-tree', 'HEAD']);
    if (indexed === null) return ok(await fill(request));
    await removeWorktree(request);
    return err(`git made no index: ${indexed}`);
  } catch (thrown) {
    await removeWorktree(request);
    throw thrown;
  }
}

/** Takes a worktree back that was made just now, with all that is in it. Null when it is gone, else a sentence. */
export async function removeWorktree(request: WorktreePlace): Promise<string | null> {
  const failed = await git(request, request.root, removing(request.folder)).catch(messageOf);
  if (failed === null) return null;
  return `the worktree ${request.folder} is left behind; git ${removing(quoted(request.folder)).join(' ')} removes it`;
}

const removing = (folder: string) => ['worktree', 'remove', '--force', '--force', folder];

/** Whether git knows a worktree at this place, also one that was made half and one that is not there any more. */
function isRegistered(root: string, folder: string): boolean {
  const gitDir = gitDirOf(root);
  if (gitDir === null) return false;
  const top = /[\\/]worktrees[\\/][^\\/]+$/.test(gitDir) ? dirname(dirname(gitDir)) : gitDir;
  const place = realFolder(folder);
  try {
    return readdirSync(join(top, 'worktrees')).some((name) => {
      const named = placeIn(join(top, 'worktrees', name));
      return named !== null && realFolder(named) === place;
    });
  } catch {
    return false;
  }
}

function placeIn(registration: string): string | null {
  try {
    return dirname(
      resolve(registration, (readRegular(join(registration, 'gitdir'), 64 * 1024)?.toString('utf8') ?? '').trim()),
    );
  } catch {
    return null;
  }
}

/** With the links of the folders above followed, as far as they are there. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const above = dirname(folder);
    return above === folder ? folder : join(realFolder(above), basename(folder));
  }
}

const quoted = (text: string): string => (/^[\w./+@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/** Null when it went well, else what git said. */
async function git({ git: file, env }: WorktreePlace, cwd: string, args: readonly string[]): Promise<string | null> {
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')));
  const ran = await runTool(file, [...SAFE, ...args], {
    cwd,
    env: {
      ...own,
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_PAGER: 'cat',
      LC_ALL: 'C',
    },
    timeoutMs: TIMEOUT_MS,
    outputBytesMax: OUTPUT_BYTES_MAX,
  });
  return ran.exitCode === 0 ? null : ran.stderr.trim();
}

async function fill({ folder, manifest, contents }: WorktreeRequest): Promise<readonly string[]> {
  const missing: string[] = [];
  const entries = [...manifest].map(([path, side]) => ({ path, side: parseSide(side) }));
  const files = entries.filter(({ path }) => !path.endsWith('/'));
  for (const { path } of entries.filter((entry) => entry.path.endsWith('/'))) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  // Links last: nothing is ever written through one.
  files.sort((a, b) => Number(isLink(a.side)) - Number(isLink(b.side)));
  for (let at = 0; at < files.length; at += AT_ONCE) {
    const some = files.slice(at, at + AT_ONCE);
    const known = await contents(some.map(({ side }) => side.hash));
    for (const { path, side } of some) {
      const bytes = known.get(side.hash) ?? (await contents([side.hash])).get(side.hash);
      // A name that is no valid text is only known by its readable form.
      if (bytes === undefined || path.includes('\\x')) {
        missing.push(path);
        continue;
      }
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      if (isLink(side)) symlinkSync(Buffer.from(bytes), target);
      else await writeFile(target, bytes, { flag: 'wx', mode: (side.mode ?? 0o644) & 0o777 });
    }
  }
  return missing;
}
