/** Errors of all rooms as what the user is told: one sentence and one exit code. */
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

export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof LedgerError) return { exitCode: ledgerCodes[thrown.code], message: thrown.message };
  if (thrown instanceof SessionError) return { exitCode: 42, message: thrown.message };
  if (thrown instanceof WorkspaceError) return { exitCode: workspaceCode(thrown.code), message: thrown.message };
  if (thrown instanceof Error && 'exitCode' in thrown && typeof thrown.exitCode === 'number') {
    return { exitCode: thrown.exitCode, message: thrown.message };
  }
  return { exitCode: isFull(thrown) ? 56 : 1, message: messageOf(thrown) };
}

export const problem = (exitCode: number, message: string): Result<never, Problem> => err({ exitCode, message });

function workspaceCode(code: WorkspaceError['code']): number {
  switch (code) {
    case 'full':
      return 56;
    case 'missing':
      return 42;
    case 'unsupported':
      return 54;
    default:
      return 1;
  }
}

const isFull = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOSPC' || thrown.code === 'EDQUOT');

/** Runs something and turns what it throws into a problem. */
export async function attempt<T>(work: () => Promise<T>): Promise<Result<T, Problem>> {
  try {
    return { ok: true, value: await work() };
  } catch (thrown) {
    return { ok: false, error: problemOf(thrown) };
  }
}
