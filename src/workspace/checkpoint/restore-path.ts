/**
 * Brings one path back. It is either the old or the new file at every instant: a new content gets its name by one
 * rename, a removal takes the name away by one rename, and what was displaced is looked at before it goes.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeId } from '#lib';
import type { RestoreItem } from '../contract.ts';
import { errorCode } from '../error-code.ts';
import { discardFresh, type Leftovers, leftoversOf, noteLeftovers } from '../files/leftovers.ts';
import { isProblem, type Resolve } from '../files/resolve-path.ts';
import { swapFile } from '../files/swap-file.ts';
import { isReadableForm } from '../revision/folder-entries.ts';
import { isEmptyFolder, lookAt, sideOfFile } from './look.ts';
import { isLink, isSame, isSameContent, parseSide, permissionsFor, type Side, specialNames } from './side.ts';

export interface RestorePorts {
  readonly root: string;
  readonly resolve: Resolve;
  /** Makes a folder (relative to the root) with those around it. */
  makeFolder(path: string): void;
  /** Says what a restored file lacks. */
  note(why: string): void;
}

const CHANGED = 'somebody else changed it after Belay did';
const UNSEEN = 'something else lies there that an undo does not take away';

/** Null when the path is as wanted, else why it was left alone. Must run inside the edit lock. */
export async function restorePath(
  ports: RestorePorts,
  item: RestoreItem,
  bytes: Uint8Array | null,
  execFolder: string,
): Promise<string | null> {
  const astray = leadsAstray(ports, item.path);
  if (astray !== null) return astray;
  const now = lookAt(ports.root, item.path);
  if (isUnseen(join(ports.root, item.path), item)) return UNSEEN;
  if (isSame(now, item.to)) return null;
  if (!isSameContent(now, item.from)) return CHANGED;
  if (item.path.endsWith('/')) return restoreFolder(ports, item.path, item.to !== null);
  const target = join(ports.root, item.path);
  const left = leftoversOf(
    target,
    makeId((id) => crypto.getRandomValues(id)),
  );
  noteLeftovers(execFolder, left);
  if (item.to === null) return now === null ? null : remove(left, now);
  if (now === null && isFolderWithContent(target)) return 'a folder with files of somebody else lies there';
  const to = parseSide(item.to);
  const present = now === null ? null : parseSide(now);
  const mode = permissionsFor(to, item.from === null ? null : parseSide(item.from), present);
  const special = specialNames(to, mode);
  if (special !== null) ports.note(`it came back without its ${special}`);
  if (present !== null && isSameContent(now, item.to)) return isLink(to) ? null : changeMode(target, mode, present);
  if (bytes === null) return 'its content is not kept';
  ports.makeFolder(dirname(item.path));
  if (isLink(to)) return placeLink(left, Buffer.from(bytes), now);
  return placeFile(left, bytes, mode, now);
}

/**
 * Whether something lies there that a look does not tell of: a pipe, a socket, a device; in the place of a folder that is
 * to come back also a file or a link that is to stay.
 */
function isUnseen(absolute: string, { path, to }: RestoreItem): boolean {
  const stat = lstatSync(absolute.replace(/\/$/, ''), { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return false;
  return (path.endsWith('/') && to !== null) || !(stat.isFile() || stat.isSymbolicLink());
}

/** Every folder on the way must be a folder of the workspace itself, and none of git's or Belay's own. */
function leadsAstray({ root, resolve }: RestorePorts, path: string): string | null {
  const names = path.replace(/\/$/, '').split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..' || name.toLowerCase() === '.git')) {
    return 'it is not a path that Belay restores';
  }
  if (isReadableForm(path)) return 'its name is no UTF-8, or reads like one that is not';
  for (let depth = 1; depth < names.length; depth++) {
    const stat = lstatSync(join(root, ...names.slice(0, depth)), { throwIfNoEntry: false });
    if (stat === undefined) break;
    if (!stat.isDirectory()) return 'a folder on the way to it was replaced by something else';
  }
  const folder = resolve(names.slice(0, -1).join('/') || '.');
  return isProblem(folder) ? folder.message : null;
}

async function placeFile(
  left: Leftovers,
  bytes: Uint8Array,
  mode: number | null,
  now: string | null,
): Promise<string | null> {
  try {
    const handle = await open(left.fresh, 'wx', mode === null ? 0o666 : 0o600);
    try {
      await handle.writeFile(bytes);
      const owner = lstatSync(left.target, { throwIfNoEntry: false });
      if (owner !== undefined) await handle.chown(owner.uid, owner.gid).catch(() => undefined);
      if (mode !== null) await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (now === null) {
      removeEmptyFolder(left.target);
      return swapFile({ left, base: null, baseBytes: null, bytes }) === null ? null : CHANGED;
    }
    const present = parseSide(now);
    if (!isLink(present)) {
      return swapFile({ left, base: present.hash, baseBytes: null, bytes }) === null ? null : CHANGED;
    }
    if (sideOfFile(left.target) !== now) return CHANGED;
    renameSync(left.fresh, left.target);
    return null;
  } finally {
    discardFresh(left);
  }
}

function placeLink(left: Leftovers, text: Buffer, now: string | null): string | null {
  try {
    if (now === null) {
      removeEmptyFolder(left.target);
      symlinkSync(text, left.target);
      return null;
    }
    symlinkSync(text, left.fresh);
    if (sideOfFile(left.target) !== now) return CHANGED;
    renameSync(left.fresh, left.target);
    return null;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return CHANGED;
    throw error;
  } finally {
    discardFresh(left);
  }
}

/** The name goes first, then what had it is looked at; somebody else's newer content gets its name back. */
function remove(left: Leftovers, now: string): string | null {
  renameSync(left.target, left.kept);
  if (sideOfFile(left.kept) === now) {
    rmSync(left.kept, { force: true });
    return null;
  }
  if (lstatSync(left.target, { throwIfNoEntry: false }) === undefined) {
    renameSync(left.kept, left.target);
    return CHANGED;
  }
  return `${CHANGED} at the same moment; the version before lies in ${left.kept}`;
}

function changeMode(target: string, mode: number | null, now: Side): string | null {
  if (mode === null || now.mode === null || (now.mode & 0o7777) === mode) return null;
  const file = openSync(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    fchmodSync(file, mode);
    fsyncSync(file);
    return null;
  } finally {
    closeSync(file);
  }
}

function restoreFolder(ports: RestorePorts, path: string, wanted: boolean): string | null {
  if (wanted) ports.makeFolder(path.replace(/\/$/, ''));
  else removeEmptyFolder(join(ports.root, path));
  return null;
}

function removeEmptyFolder(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error;
  }
}

const isFolderWithContent = (path: string): boolean =>
  (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false) && !isEmptyFolder(path);
