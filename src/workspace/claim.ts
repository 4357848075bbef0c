/**
 * The claim of an attempt: the file that decides, exclusively, whether its effect may happen.
 *
 * 1. It is created exclusively, once, and never changed or removed while its outcome is not durable.
 * 2. An executor creates it with `pid bootid\n` before its effect; who reconciles creates it with `revoked\n`.
 * 3. Whoever finds it taken does nothing.
 * 4. A claim that is not there proves "not started" only beside a mark that is there and blank: the mark is made before
 *    the start is recorded, and written on before the effect. So a claim, or a whole folder, that somebody removed is
 *    not taken for one that never was.
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
/** The mark: blank until the effect begins. Of a command it is what becomes the receipt. */
export const markPath = (execFolder: string): string => join(execFolder, 'rc');
/** What the mark begins with from then on, until a receipt overwrites it. */
export const BEGUN = 'begun';

/** Takes the claim for this process. False: somebody else has it, so the effect must not happen. */
export function takeClaim(execFolder: string, bootId: string): boolean {
  return create(execFolder, `${process.pid} ${bootId}\n`);
}

/** Takes the claim so that nobody can start any more. True: nobody had it. */
export function revokeClaim(execFolder: string): boolean {
  return create(execFolder, 'revoked\n');
}

/**
 * Revokes unless an executor holds the claim: true means that the effect will not begin any more. Same boot only, and only
 * where the executor was the agent itself, which is gone: a wrapper outlives it and may be in the middle of its claim.
 */
export const revokeUnlessTaken = (execFolder: string): boolean =>
  revokeClaim(execFolder) || readClaim(execFolder).kind !== 'taken';

/** Makes the mark, with that many bytes of room. An attempt whose claim is to prove anything is made ready by it. */
export function prepareMark(execFolder: string, bytes = 16): void {
  mkdirSync(execFolder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(markPath(execFolder), ' '.repeat(bytes), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

/** Takes the claim of an attempt that was made ready, and marks that its effect begins. */
export function takeMarkedClaim(execFolder: string, bootId: string): boolean {
  if (!takeClaim(execFolder, bootId)) return false;
  try {
    writeFileSync(markPath(execFolder), BEGUN, { flag: 'r+' });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return true;
}

/** Whether the mark is there and blank: as of now the effect has not begun. */
export function isUnmarked(execFolder: string): boolean {
  try {
    return readFileSync(markPath(execFolder), 'latin1').trim() === '';
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/**
 * Revokes unless an executor holds the claim, and says what that proves of an attempt that was made ready with a mark.
 * `traces-gone`: there is no claim, and nothing shows that there never was one. Same boot only.
 */
export function settleClaim(execFolder: string): 'not-started' | 'begun' | 'traces-gone' {
  if (!revokeUnlessTaken(execFolder)) return 'begun';
  return isUnmarked(execFolder) ? 'not-started' : 'traces-gone';
}

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
