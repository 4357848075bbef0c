/**
 * The claim of an attempt: the file that decides, exclusively, whether its effect may happen.
 *
 * 1. It is created exclusively, once, and never changed or removed while its outcome is not durable.
 * 2. An executor creates it with `pid bootid\n` before its effect; who reconciles creates it with `revoked\n`.
 * 3. Whoever finds it taken does nothing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, isMissing } from './error-code.ts';

export type Claim =
  | { readonly kind: 'free' }
  | { readonly kind: 'revoked' }
  /** Created, but its line is not complete: the effect cannot have begun unless its writer still lives. */
  | { readonly kind: 'partial' }
  | { readonly kind: 'taken'; readonly pid: number; readonly bootId: string };

const claimPath = (execFolder: string): string => join(execFolder, 'claim');

/** Takes the claim for this process. False: somebody else has it, so the effect must not happen. */
export function takeClaim(execFolder: string, bootId: string): boolean {
  return create(execFolder, `${process.pid} ${bootId}\n`);
}

/** Takes the claim so that nobody can start any more. True proves: not started. */
export function revokeClaim(execFolder: string): boolean {
  return create(execFolder, 'revoked\n');
}

/** Revokes unless an executor holds the claim: true proves that the effect did not happen and will not. Same boot only. */
export const revokeUnlessTaken = (execFolder: string): boolean =>
  revokeClaim(execFolder) || readClaim(execFolder).kind !== 'taken';

export function readClaim(execFolder: string): Claim {
  let text: string;
  try {
    text = readFileSync(claimPath(execFolder), 'latin1');
  } catch (error) {
    if (isMissing(error)) return { kind: 'free' };
    throw error;
  }
  if (!text.endsWith('\n')) return { kind: 'partial' };
  if (text === 'revoked\n') return { kind: 'revoked' };
  const [pid, bootId] = text.trimEnd().split(' ');
  return { kind: 'taken', pid: Number(pid), bootId: bootId ?? '' };
}

function create(execFolder: string, text: string): boolean {
  mkdirSync(execFolder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(claimPath(execFolder), text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}
