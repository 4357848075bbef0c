/**
 * What `node:fs` is inside a simulation: the volume of the machine and its process table. What is not simulated is the
 * real thing, which knows no path of a simulation.
 */
import { constants } from 'node:fs';
import { theMachine } from './machine.ts';
import { processFile, processIds } from './process-table.ts';
import { theVolume } from './the-volume.ts';
import { fault, type Inode } from './volume.ts';

export * from 'node:fs';

export interface Open {
  readonly path: string;
  readonly inode: Inode;
  readonly append: boolean;
  /** Where a write without a position goes. */
  end: number;
}
const descriptors = new Map<number, Open>();
/** Numbers that no file of the real process has: what /proc says of them is that there are none. */
const FIRST_DESCRIPTOR = 1_000_000;
let nextDescriptor = FIRST_DESCRIPTOR;

export const resetDescriptors = (): void => {
  descriptors.clear();
  nextDescriptor = FIRST_DESCRIPTOR;
};

type Options =
  | { readonly flag?: string | number; readonly mode?: number; readonly encoding?: string }
  | string
  | undefined;

const enter = (call: string, path: string, changes: boolean): void => theMachine().enter(call, path, changes);
const flagOf = (options: Options, otherwise: string): string | number =>
  typeof options === 'object' && options !== null ? (options.flag ?? otherwise) : otherwise;
const encodingOf = (options: Options): BufferEncoding | null => {
  const name = typeof options === 'string' ? options : options?.encoding;
  return name === undefined ? null : (name as BufferEncoding);
};

export function opened(fd: number): Open {
  const open = descriptors.get(fd);
  if (open === undefined) throw fault('EBADF', 'fd', String(fd));
  return open;
}

/** Opens by flags; shared with the promise functions. */
export function openInode(path: string, flags: string | number, mode: number): Open {
  const volume = theVolume();
  const text = typeof flags === 'number' ? textOf(flags) : flags;
  if (text === 'r' || text === 'r+') {
    enter('open', path, false);
    const inode = volume.need(path, 'open');
    if (inode.kind === 'dir' && text === 'r+') throw fault('EISDIR', 'open', path);
    return { path, inode, append: false, end: 0 };
  }
  if (text.includes('x')) {
    enter('create', path, true);
    return { path, inode: volume.create(path, 'file', mode, 'open'), append: false, end: 0 };
  }
  enter(text.startsWith('a') ? 'append' : 'write', path, true);
  const inode = volume.find(path) ?? volume.create(path, 'file', mode, 'open');
  if (text.startsWith('w')) volume.truncate(inode, 0);
  return { path, inode, append: text.startsWith('a'), end: 0 };
}

function textOf(flags: number): string {
  if ((flags & constants.O_CREAT) === 0) return 'r';
  if ((flags & constants.O_EXCL) !== 0) return 'wx';
  return (flags & constants.O_TRUNC) !== 0 ? 'w' : 'a';
}

export function openSync(path: string, flags: string | number = 'r', mode = 0o666): number {
  const open = openInode(path, flags, mode);
  const fd = nextDescriptor++;
  descriptors.set(fd, open);
  return fd;
}

export function closeSync(fd: number): void {
  descriptors.delete(fd);
}

export function readSync(fd: number, into: Uint8Array, at: number, length: number, position: number): number {
  enter('read', '', false);
  return readInto(opened(fd).inode, into, at, length, position);
}

export function read(
  fd: number,
  into: Uint8Array,
  at: number,
  length: number,
  position: number,
  done: (error: Error | null, bytesRead: number) => void,
): void {
  const { inode } = opened(fd);
  const machine = theMachine();
  machine.after(machine.random.next() * 3, () => done(null, readInto(inode, into, at, length, position)));
}

export function readInto(inode: Inode, into: Uint8Array, at: number, length: number, position: number): number {
  const piece = inode.data.subarray(position, Math.min(inode.size, position + length));
  into.set(piece, at);
  return piece.length;
}

/** Without a position it goes on behind what was written through this descriptor before. */
export function writeSync(fd: number, from: Uint8Array, at: number, length: number, position?: number): number {
  const file = opened(fd);
  const { path, inode } = file;
  const machine = theMachine();
  enter('write', path, true);
  const short = machine.shortWrite(path, length);
  theVolume().write(inode, from.subarray(at, at + short), position ?? file.end);
  if (position === undefined) file.end += short;
  return short;
}

export const fstatSync = (fd: number) => statOf(opened(fd).inode);

export function ftruncateSync(fd: number, size: number): void {
  const { path, inode } = opened(fd);
  enter('truncate', path, true);
  theVolume().truncate(inode, size);
}

export function fsyncSync(fd: number): void {
  const { path, inode } = opened(fd);
  enter('fsync', path, true);
  theVolume().sync(inode);
}

export const fchmodSync = (fd: number, mode: number): void => {
  opened(fd).inode.mode = mode;
};
export const fchownSync = (_fd: number, _uid: number, _gid: number): void => {};

export function fsync(fd: number, done: (error: Error | null) => void): void {
  const machine = theMachine();
  machine.after(machine.random.next() * 3, () => {
    try {
      fsyncSync(fd);
      done(null);
    } catch (thrown) {
      done(thrown as Error);
    }
  });
}

export function fdatasync(fd: number, done: (error: Error | null) => void): void {
  const machine = theMachine();
  const { path, inode } = opened(fd);
  enter('fdatasync', path, false);
  // What is written after the call began need not be covered, so only what is there now becomes durable.
  const covered = theVolume().content(inode);
  machine.after(machine.random.next() * 3, () => {
    try {
      enter('synced', path, true);
      inode.synced = covered;
      machine.onSynced(path);
      // Who asked hears of it in a moment of its own, so that it can be frozen in between.
      machine.after(0, () => done(null));
    } catch (thrown) {
      done(thrown as Error);
    }
  });
}

export function readFileSync(path: string | number, options?: Options): string | Buffer {
  if (typeof path === 'string' && path.startsWith('/proc/')) {
    const text = processFile(path);
    if (text === null) throw fault('ENOENT', 'open', path);
    return text;
  }
  enter('read', String(path), false);
  const inode = typeof path === 'number' ? opened(path).inode : theVolume().need(path, 'open');
  if (inode.kind === 'dir') throw fault('EISDIR', 'read', String(path));
  const content = theVolume().content(inode);
  const encoding = encodingOf(options);
  return encoding === null ? content : content.toString(encoding);
}

export function writeFileSync(path: string | number, content: string | Uint8Array, options?: Options): void {
  if (typeof path === 'number') {
    const bytes = Buffer.from(content as Uint8Array);
    writeSync(path, bytes, 0, bytes.length);
    return;
  }
  const mode = typeof options === 'object' ? (options?.mode ?? 0o666) : 0o666;
  const { inode, append } = openInode(path, flagOf(options, 'w'), mode);
  theVolume().write(inode, Buffer.from(content as Uint8Array), append ? inode.size : 0);
}

export function existsSync(path: string): boolean {
  enter('exists', path, false);
  return theVolume().find(path) !== null;
}

export function accessSync(path: string, _mode?: number): void {
  enter('access', path, false);
  theVolume().need(path, 'access');
}

export function mkdirSync(path: string, options?: { readonly recursive?: boolean; readonly mode?: number }): void {
  enter('mkdir', path, false);
  if (options?.recursive === true) theVolume().makeFolders(path);
  else theVolume().create(path, 'dir', options?.mode ?? 0o777, 'mkdir');
}

export function rmdirSync(path: string): void {
  enter('rmdir', path, true);
  const { folder, name } = theVolume().parent(path, 'rmdir');
  if ((folder.entries.get(name)?.entries.size ?? 0) > 0) throw fault('ENOTEMPTY', 'rmdir', path);
  theVolume().name(folder, [[name, null]]);
}

export function readdirSync(path: string, options?: { readonly withFileTypes?: boolean }): unknown[] {
  if (path === '/proc') return processIds();
  enter('readdir', path, false);
  const inode = theVolume().need(path, 'scandir');
  if (inode.kind !== 'dir') throw fault('ENOTDIR', 'scandir', path);
  const names = [...inode.entries.keys()].sort();
  if (options?.withFileTypes !== true) return names;
  return names.map((name) => {
    const child = inode.entries.get(name);
    return {
      name,
      isFile: () => child?.kind === 'file',
      isDirectory: () => child?.kind === 'dir',
      isSymbolicLink: () => false,
    };
  });
}

export function renameSync(from: string, to: string): void {
  enter('rename', to, true);
  const source = theVolume().parent(from, 'rename');
  const inode = source.folder.entries.get(source.name);
  if (inode === undefined) throw fault('ENOENT', 'rename', from);
  const target = theVolume().parent(to, 'rename');
  const gone = [source.name, null] as const;
  const there = [target.name, inode] as const;
  if (source.folder === target.folder) theVolume().name(source.folder, [gone, there]);
  else {
    theVolume().name(source.folder, [gone]);
    theVolume().name(target.folder, [there]);
  }
  theMachine().onPlaced(to, inode);
}

export function linkSync(from: string, to: string): void {
  enter('link', to, true);
  const inode = theVolume().need(from, 'link');
  const { folder, name } = theVolume().parent(to, 'link');
  if (folder.entries.has(name)) throw fault('EEXIST', 'link', to);
  inode.links++;
  theVolume().name(folder, [[name, inode]]);
  theMachine().onPlaced(to, inode);
}

export function rmSync(path: string, options?: { readonly force?: boolean; readonly recursive?: boolean }): void {
  enter('rm', path, true);
  const found = theVolume().find(path);
  if (found === null) {
    if (options?.force === true) return;
    throw fault('ENOENT', 'rm', path);
  }
  const { folder, name } = theVolume().parent(path, 'rm');
  theVolume().name(folder, [[name, null]]);
}

export function copyFileSync(from: string, to: string, mode = 0): void {
  const content = readFileSync(from) as Buffer;
  writeFileSync(to, content, { flag: (mode & constants.COPYFILE_EXCL) !== 0 ? 'wx' : 'w' });
}

export function realpathSync(path: string): string {
  enter('realpath', path, false);
  theVolume().need(path, 'realpath');
  return path.replace(/(.)\/+$/, '$1');
}
realpathSync.native = realpathSync;

export function readlinkSync(path: string): string {
  throw fault('EINVAL', 'readlink', path);
}

export function statSync(path: string, options?: { readonly throwIfNoEntry?: boolean }) {
  enter('stat', path, false);
  const found = theVolume().find(path);
  if (found === null) {
    if (options?.throwIfNoEntry === false) return undefined;
    throw fault('ENOENT', 'stat', path);
  }
  return statOf(found);
}
// Nothing here is a link, so both are the same.
export { statSync as lstatSync };

export const statfsSync = (_path: string) => ({ bavail: theMachine().freeBlocks, bsize: 4096 });

export function statOf(inode: Inode) {
  return {
    ino: inode.ino,
    size: inode.size,
    mode: inode.mode,
    nlink: inode.links,
    uid: 0,
    gid: 0,
    mtimeMs: inode.changedMs,
    isFile: () => inode.kind === 'file',
    isDirectory: () => inode.kind === 'dir',
    isSymbolicLink: () => false,
  };
}

export function watch(): never {
  throw fault('ENOSYS', 'watch', '');
}
