/** What `node:fs/promises` is inside a simulation: each call takes a moment of simulated time, in which others act. */
import * as sync from './fs.ts';
import { theMachine } from './machine.ts';
import { theVolume } from './the-volume.ts';
import type { Inode } from './volume.ts';

export * from 'node:fs/promises';

type Options =
  | { readonly flag?: string | number; readonly mode?: number; readonly encoding?: string }
  | string
  | undefined;

async function later<T>(body: () => T): Promise<T> {
  await theMachine().latency();
  return body();
}

export const readFile = (path: string, options?: Options) => later(() => sync.readFileSync(path, options));
export const writeFile = (path: string, content: string | Uint8Array, options?: Options) =>
  later(() => sync.writeFileSync(path, content, options));
export const readdir = (path: string, options?: { readonly withFileTypes?: boolean }) =>
  later(() => sync.readdirSync(path, options));
export const rm = (path: string, options?: { readonly force?: boolean; readonly recursive?: boolean }) =>
  later(() => sync.rmSync(path, options));
export const rename = (from: string, to: string) => later(() => sync.renameSync(from, to));
export const mkdir = (path: string, options?: { readonly recursive?: boolean; readonly mode?: number }) =>
  later(() => sync.mkdirSync(path, options));
export const stat = (path: string) => later(() => sync.statSync(path));
export { stat as lstat };
export const statfs = (path: string) => later(() => ({ ...sync.statfsSync(path), type: 0xef53 }));
export const cp = (): never => {
  throw new Error('cp is not simulated');
};

export async function open(path: string, flags: string | number = 'r', mode = 0o666) {
  return later(() => {
    const fd = sync.openSync(path, flags, mode);
    return handleOf(path, sync.opened(fd).inode, fd);
  });
}

function handleOf(path: string, inode: Inode, fd: number) {
  const machine = theMachine();
  let end = 0;
  return {
    fd,
    /** Behind what was written before; some of it, as a system may. */
    write: (content: Uint8Array, from = 0) =>
      later(() => {
        machine.enter('write', path, true);
        const bytesWritten = machine.shortWrite(path, content.byteLength - from);
        theVolume().write(inode, Buffer.from(content.subarray(from, from + bytesWritten)), end);
        end += bytesWritten;
        return { bytesWritten };
      }),
    writeFile: (content: string | Uint8Array) =>
      later(() => {
        machine.enter('write', path, true);
        theVolume().truncate(inode, 0);
        theVolume().write(inode, Buffer.from(content as Uint8Array), 0);
      }),
    read: (into: Uint8Array, at: number, length: number, position: number) =>
      later(() => ({ bytesRead: sync.readInto(inode, into, at, length, position) })),
    stat: () => later(() => sync.statOf(inode)),
    chmod: (mode: number) =>
      later(() => {
        inode.mode = mode;
      }),
    chown: () => later(() => undefined),
    sync: () =>
      later(() => {
        machine.enter('fsync', path, true);
        theVolume().sync(inode);
      }),
    close: async () => sync.closeSync(fd),
  };
}
