/** Errors of all rooms as what the user is told: one sentence and one exit code. */
import path from 'node:path';
import { LedgerError, type LedgerErrorCode } from '#ledger';
import { err, messageOf, type Result } from '#lib';
import { SessionError } from '#runtime';
import type { Problem } from '#surfaces/cli';
import { WorkspaceError } from '#workspace';

const ledgerCodes: { readonly [C in LedgerErrorCode]: number } = {
  locked: 56,
  damaged: 56,
  full: 56,
  readonly: 56,
  newer: 56,
  io: 56,
  missing: 42,
  exists: 42,
  invalid: 42,
  closed: 1,
};

/** `home`: the data folder, which is what has no room where an error for want of room does not name its place. */
export function problemOf(thrown: unknown, home?: string): Problem {
  if (isFull(thrown)) return { exitCode: 56, message: fullMessage(thrown, home) };
  if (thrown instanceof LedgerError) return { exitCode: ledgerCodes[thrown.code], message: thrown.message };
  if (thrown instanceof SessionError) return { exitCode: 42, message: thrown.message };
  if (thrown instanceof WorkspaceError) return { exitCode: workspaceCode(thrown.code), message: thrown.message };
  if (thrown instanceof Error && 'exitCode' in thrown && typeof thrown.exitCode === 'number') {
    return { exitCode: thrown.exitCode, message: thrown.message };
  }
  return { exitCode: 1, message: messageOf(thrown) };
}

export const problem = (exitCode: number, message: string): Result<never, Problem> => err({ exitCode, message });

function workspaceCode(code: WorkspaceError['code']): number {
  switch (code) {
    case 'missing':
      return 42;
    case 'unsupported':
      return 54;
    default:
      return 1;
  }
}

const codeOf = (thrown: unknown): unknown => (thrown instanceof Error && 'code' in thrown ? thrown.code : undefined);

type Full = Error & { readonly code: string; readonly path?: unknown };

const isFull = (thrown: unknown): thrown is Full =>
  thrown instanceof Error &&
  'code' in thrown &&
  typeof thrown.code === 'string' &&
  ['full', 'ENOSPC', 'EDQUOT', 'EFBIG'].includes(thrown.code);

/** What the system says of a full disk names the call and not the place. */
function fullMessage(thrown: Full, home: string | undefined): string {
  // Room would change nothing: a process or a file system allows no longer file.
  if (thrown.code === 'EFBIG' || codeOf(thrown.cause) === 'EFBIG') {
    return `${thrown.message}; a file may not grow further: raise the limit (ulimit -f), then try again`;
  }
  if (thrown.code === 'full') {
    const where = thrown instanceof LedgerError && home !== undefined ? `in ${home}` : 'there';
    return `${thrown.message}; free some ${where}, then try again`;
  }
  const folder = typeof thrown.path === 'string' && path.isAbsolute(thrown.path) ? path.dirname(thrown.path) : home;
  return folder === undefined
    ? thrown.message
    : `no space is left in ${folder} (${thrown.code}); free some there, then try again`;
}

/** Runs something and turns what it throws into a problem. */
export async function attempt<T>(work: () => Promise<T>, home?: string): Promise<Result<T, Problem>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    return { ok: false, error: problemOf(thrown, home) };
  }
}
