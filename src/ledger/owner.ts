/** Who holds a session, for messages only: nothing is ever decided by what this file says. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { int, misfits, obj, str } from '#lib';
import type { Holder } from './contract.ts';
import { randomId } from './folders.ts';
import { readRegular } from './regular.ts';

const shape = obj({ pid: int, host: str, sinceMs: int });
const pathIn = (folder: string): string => join(folder, 'owner.json');

/** Failing to write it is no reason not to hold the lock: the message of others is then less helpful. */
export function writeOwner(folder: string): void {
  const temporary = join(folder, `.${randomId()}.tmp`);
  const owner: Holder = { pid: process.pid, host: hostname(), sinceMs: Date.now() };
  try {
    writeFileSync(temporary, `${JSON.stringify(owner)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, pathIn(folder));
  } catch {
    rmSync(temporary, { force: true });
  }
}

export function clearOwner(folder: string): void {
  try {
    rmSync(pathIn(folder), { force: true });
  } catch {
    // A read-only folder: the file says who held it last, which the lock itself contradicts.
  }
}

export function readOwner(folder: string): Holder | null {
  try {
    const owner: unknown = JSON.parse(readRegular(pathIn(folder)).toString('utf8'));
    return misfits(shape, owner).length === 0 ? (owner as Holder) : null;
  } catch {
    return null;
  }
}

export function describeHolder(holder: Holder | null): string {
  if (holder === null) return 'another process';
  const elsewhere = holder.host === hostname() ? '' : ` on ${holder.host}`;
  return `process ${holder.pid}${elsewhere}, since ${new Date(holder.sinceMs).toISOString()}`;
}
