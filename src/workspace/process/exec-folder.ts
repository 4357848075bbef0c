/** The folder of a process attempt: spool `out`, receipt `rc`, `meta`, the wrapper's `claim` and `cut`, marks of its end. */
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markPath, prepareMark } from '../claim.ts';
import type { ConfinedStart } from '../confinement.ts';
import { errorCode, isMissing } from '../error-code.ts';
import type { Tree } from './process-table.ts';
import { RECEIPT_BYTES } from './wrapper.ts';

/** Reserved while the attempt can still be refused for want of space. */
const TREE_BYTES = 256;

export interface Receipt {
  readonly bootId: string;
  readonly exitCode: number;
  readonly nonce: string;
}

export const spoolPath = (folder: string): string => join(folder, 'out');
export const saidPath = (folder: string): string => join(folder, 'said');
/** Standard error, where the command keeps it apart. */
export const errorsPath = (folder: string): string => join(folder, 'err');
export const isCut = (folder: string): boolean => existsSync(join(folder, 'cut'));

/** Says that the command was ended after the agent had died: at this uptime, its limit, or with the agent (0). */
export const LIMIT = 'limit';
/** Its presence says that an agent follows the attempt again. */
export const ATTACHED = 'attached';
export function keeperStop(folder: string): 'timed-out' | 'cancelled' | undefined {
  const path = join(folder, LIMIT);
  if (!existsSync(path)) return undefined;
  return readFileSync(path, 'utf8').trim() === '0' ? 'cancelled' : 'timed-out';
}
/** Says that whoever started the attempt ended it and did not wait for its end. */
export function markEnded(folder: string): void {
  if (existsSync(folder) && readReceipt(folder) === null) writeNew(join(folder, LIMIT), '0\n');
}
export const markAttached = (folder: string): void => writeNew(join(folder, ATTACHED), '');

/** Everything the wrapper writes into exists before it starts; nothing that exists is emptied. */
export function makeExecFolder(folder: string, separate: boolean): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(spoolPath(folder), '', { flag: 'a', mode: 0o600 });
  if (separate) writeFileSync(errorsPath(folder), '', { flag: 'a', mode: 0o600 });
  writeFileSync(saidPath(folder), '', { flag: 'a', mode: 0o600 });
  prepareMark(folder, RECEIPT_BYTES);
  writeNew(join(folder, 'meta'), ' '.repeat(TREE_BYTES));
}

/** A text that is too long for an argument; returns its path. */
export function writeCommand(folder: string, command: string): string {
  const path = join(folder, 'command');
  writeNew(path, command);
  return path;
}

export const CONFINEMENT = 'sandbox';
export const HEAD = 'head';
export const FILTER = 'filter';
export const confinementPath = (folder: string): string => join(folder, CONFINEMENT);

export const filterPath = (folder: string): string => join(folder, FILTER);

/**
 * The words before those of a confined command, each ended by NUL, the filter of its calls, and room for what is told of
 * its first process.
 */
export function writeConfinement(folder: string, { options, filter }: ConfinedStart): void {
  writeNew(confinementPath(folder), options.map((option) => `${option}\0`).join(''));
  writeNew(headPath(folder), '');
  if (filter !== undefined) writeNew(filterPath(folder), filter.bytes);
}

/** Where the program that confines tells the first process inside. */
export const headPath = (folder: string): string => join(folder, HEAD);

/** The process id of the first process inside; null where nothing confined, or where it was not told. */
export function readHead(folder: string): number | null {
  try {
    const told = /"child-pid": (\d+)/.exec(readFileSync(headPath(folder), 'latin1'))?.[1];
    return told === undefined ? null : Number(told);
  } catch {
    return null;
  }
}

export const wasConfined = (folder: string): boolean => existsSync(join(folder, CONFINEMENT));

/** Written before the go line, so whoever settles the attempt finds it whenever there is a claim. */
export function writeTree(folder: string, tree: Tree): void {
  writeFileSync(join(folder, 'meta'), `${JSON.stringify(tree).padEnd(TREE_BYTES - 1)}\n`, { flag: 'r+' });
}

export function readTree(folder: string): Tree | null {
  try {
    const { attemptId, leader, leaderStart, nonce } = JSON.parse(
      readFileSync(join(folder, 'meta'), 'utf8'),
    ) as Partial<Tree>;
    if (attemptId === undefined || leader === undefined || nonce === undefined) return null;
    return { attemptId, leader, leaderStart: leaderStart ?? null, nonce };
  } catch {
    return null;
  }
}

/** Null until the whole receipt is there. */
export function readReceipt(folder: string): Receipt | null {
  let text: string;
  try {
    text = readFileSync(markPath(folder), 'latin1');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  const found = /^v1 (\S+) exit (\d+) (\S+) end\n/.exec(text);
  return found === null ? null : { bootId: found[1] as string, exitCode: Number(found[2]), nonce: found[3] as string };
}

/** When the receipt that is there was written (Unix ms). */
export const receiptMs = (folder: string): number => Math.ceil(statSync(markPath(folder)).mtimeMs);

function writeNew(path: string, text: string | Uint8Array): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}
