/**
 * What a command printed, by range: while it runs, after it ended, and, where the attempt's folder is gone, from where
 * the spool was kept. Background children may write behind the end marker; that is nobody's output.
 */
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { isMissing } from '../error-code.ts';
import { readReceipt, readTree, spoolPath } from './exec-folder.ts';
import { outputSize, readPiece } from './spool.ts';

export interface OutputPart {
  readonly bytes: Uint8Array;
  /** Bytes printed so far. */
  readonly size: number;
}

/** Part of the output of an attempt whose folder is there; null where it has no spool. */
export function readOutput(execFolder: string, from: number, bytesMax: number): OutputPart | null {
  const isRunning = readReceipt(execFolder) === null;
  const size = outputSize(spoolPath(execFolder), readTree(execFolder)?.nonce ?? '', isRunning);
  return size === null ? null : part(spoolPath(execFolder), size, from, bytesMax);
}

/** The same of an output that `keepOutput` moved. */
export function readKeptOutput(file: string, from: number, bytesMax: number): OutputPart | null {
  const size = outputSize(file, '');
  return size === null ? null : part(file, size, from, bytesMax);
}

/** Moves the spool of an attempt that is over, if it is longer than that, before its folder goes. Whether it did. */
export function keepOutput(execFolder: string, file: string, longerThan: number): boolean {
  const spool = spoolPath(execFolder);
  const size = outputSize(spool, readTree(execFolder)?.nonce ?? '');
  if (size === null || size <= longerThan) return false;
  const fd = openSync(spool, 'r+');
  try {
    if (fstatSync(fd).size > size) ftruncateSync(fd, size);
  } finally {
    closeSync(fd);
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    renameSync(spool, file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function part(file: string, size: number, from: number, bytesMax: number): OutputPart {
  const start = Math.min(from, size);
  return { bytes: readPiece(file, start, Math.min(bytesMax, size - start)), size };
}
