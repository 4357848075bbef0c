/**
 * Writes one file: claim, temporary file, fsync, verify, replace, fsync of the folder, marker.
 *
 * 1. Without the claim nothing in the workspace is touched.
 * 2. The file is replaced whole or not at all; its mode, owner and the links that lead to it stay.
 * 3. Only the content named as base is ever displaced. Whatever else turns up in its place is put back.
 * 4. A failure leaves neither temporary files nor new empty folders behind.
 * 5. No space in the attempt's folder is thrown (`full`); it happens only before anything of the workspace is touched.
 */
import { accessSync, constants, mkdirSync, rmdirSync, type Stats, statSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeId, messageOf } from '#lib';
import { takeClaim } from '../claim.ts';
import type { WorkspaceOptions, WriteRequest, WriteResult } from '../contract.ts';
import { errorCode, isFull } from '../error-code.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { blobHash } from './blob-hash.ts';
import type { EditLock } from './edit-lock.ts';
import { type Leftovers, leftoversOf, noteLeftovers } from './leftovers.ts';
import { createFile, discardFresh, replaceFile } from './replace-file.ts';
import { isProblem, type Resolve } from './resolve-path.ts';

export interface WritePorts {
  readonly resolve: Resolve;
  readonly lock: EditLock;
  readonly bootId: () => string;
  readonly onDisplace: WorkspaceOptions['onDisplace'];
}

type Refusal = Extract<WriteResult, { readonly ok: false }>;

export async function writeFileDurably(ports: WritePorts, request: WriteRequest): Promise<WriteResult> {
  const found = ports.resolve(request.path);
  if (isProblem(found)) return refuse('denied', found.message);
  if (found.gitInternal) return refuse('denied', `${found.path} belongs to git; file tools do not change it.`);
  if (found.kind === 'directory') return refuse('denied', `${found.path} is a folder.`);
  if (found.kind === 'other') return refuse('denied', `${found.path} is a device, pipe or socket.`);
  const folders: string[] = [];
  let done = false;
  try {
    const { execFolder } = request;
    if (execFolder !== null && !(await record(() => takeClaim(execFolder, ports.bootId())))) {
      return refuse('revoked', 'The attempt was revoked before it started; nothing was written.');
    }
    if (found.kind === 'missing' && request.base !== null) return refuse('stale', `${found.path} is gone.`);
    if (found.kind === 'file') accessSync(found.absolute, constants.W_OK);
    folders.push(...makeFolders(dirname(found.absolute)));
    const left = leftoversOf(
      found.absolute,
      makeId((bytes) => crypto.getRandomValues(bytes)),
    );
    if (execFolder !== null) await record(() => noteLeftovers(execFolder, left));
    const before = statSync(found.absolute, { throwIfNoEntry: false }) ?? null;
    const problem = await replace(ports, request, left, before);
    if (problem !== null) return problem;
    done = true;
    for (const folder of new Set([dirname(found.absolute), ...folders.map((path) => dirname(path))])) {
      await syncFolder(folder);
    }
    const hash = blobHash(request.bytes);
    if (execFolder !== null) markApplied(execFolder, hash);
    const split = before !== null && before.nlink > 1;
    return {
      ok: true,
      hash,
      fingerprint: { path: found.path, base: request.base, result: hash },
      notes: split ? [`${found.path} had ${before.nlink} hard links; this one now has its own content.`] : [],
    };
  } catch (error) {
    if (error instanceof WorkspaceError) throw error;
    return refuse(codeOf(error), `${found.path}: ${messageOf(error)}`);
  } finally {
    if (!done) removeFolders(folders);
  }
}

/** Where not even the claim finds room, no outcome will either: that is the session's concern, not the model's. */
async function record<T>(write: () => T | Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isFull(error)) throw error;
    throw new WorkspaceError('full', `There is no space for what must be recorded: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function replace(
  ports: WritePorts,
  request: WriteRequest,
  left: Leftovers,
  before: Stats | null,
): Promise<Refusal | null> {
  try {
    await writeFresh(left.fresh, request.bytes, before);
    return await ports.lock(async () => {
      // The folder may have become a link meanwhile; the jail is checked again right before the change.
      const again = ports.resolve(left.target);
      if (isProblem(again) || again.absolute !== left.target) return refuse('stale', 'The path leads elsewhere now.');
      const after = { hash: blobHash(request.bytes), bytes: request.bytes };
      const problem =
        request.base === null
          ? await createFile(left, () => record(() => ports.onDisplace?.(again.path, null, after)))
          : await replaceFile(left, request.base, (found) =>
              record(() => ports.onDisplace?.(again.path, found, after)),
            );
      return problem === null ? null : refuse('stale', `${again.path} ${problem}`);
    });
  } finally {
    discardFresh(left);
  }
}

async function writeFresh(path: string, bytes: Uint8Array, before: Stats | null): Promise<void> {
  const handle = await open(path, 'wx', before === null ? 0o666 : 0o600);
  try {
    await handle.writeFile(bytes);
    if (before !== null) {
      await keepOwner(handle, before);
      await handle.chmod(before.mode & 0o7777);
    }
    const { size } = await handle.stat();
    if (size !== bytes.byteLength) throw new Error(`only ${size} of ${bytes.byteLength} bytes were stored`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Only root may give a file away; for others the owner is already right, or the system keeps them from editing. */
async function keepOwner(handle: FileHandle, before: Stats): Promise<void> {
  const now = await handle.stat();
  if (now.uid === before.uid && now.gid === before.gid) return;
  await handle.chown(before.uid, before.gid).catch(() => undefined);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some file systems cannot sync a folder; the content itself is synced.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR'].includes(errorCode(error))) throw error;
  } finally {
    await handle.close();
  }
}

/** Creates the missing folders and returns them, outermost first. */
function makeFolders(folder: string): string[] {
  const missing: string[] = [];
  for (let at = folder; statSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) missing.unshift(at);
  mkdirSync(folder, { recursive: true });
  return missing;
}

function removeFolders(folders: readonly string[]): void {
  for (const folder of folders.toReversed()) {
    try {
      rmdirSync(folder);
    } catch {
      // Somebody uses it meanwhile.
    }
  }
}

/** Says "applied" to whoever settles this attempt; without it the content decides, so a failure is no failure. */
function markApplied(execFolder: string, hash: string): void {
  try {
    writeFileSync(join(execFolder, 'applied'), `${hash}\n`, { flag: 'a', mode: 0o600 });
  } catch {
    // See above.
  }
}

function codeOf(error: unknown): Refusal['code'] {
  if (isFull(error)) return 'full';
  return ['EACCES', 'EPERM', 'EROFS', 'ETXTBSY'].includes(errorCode(error)) ? 'denied' : 'io';
}

const refuse = (code: Refusal['code'], message: string): Refusal => ({ ok: false, code, message });
