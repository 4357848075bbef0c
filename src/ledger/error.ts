/** The one error of this room, and the one place where a system error becomes a sentence. */
import { messageOf } from '#lib';
import type { LedgerErrorCode, LedgerErrorFacts } from './contract.ts';

export class LedgerError extends Error implements LedgerErrorFacts {
  override readonly name = 'LedgerError';
  readonly code: LedgerErrorCode;
  declare readonly offset?: number;
  declare readonly lastGoodSeq?: number;
  declare readonly path?: string;
  declare readonly type?: string;

  constructor(code: LedgerErrorCode, message: string, facts: LedgerErrorFacts = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    Object.assign(this, facts);
  }
}

const CODES: { readonly [errno: string]: LedgerErrorCode } = {
  ENOSPC: 'full',
  EDQUOT: 'full',
  EFBIG: 'full',
  EROFS: 'readonly',
  EACCES: 'readonly',
  EPERM: 'readonly',
  ENOENT: 'missing',
  EEXIST: 'exists',
};

const SENTENCES: { readonly [code in LedgerErrorCode]?: (path: string) => string } = {
  full: (path) => `no space left to write ${path}`,
  readonly: (path) => `${path} cannot be written (permissions or a read-only file system)`,
  missing: (path) => `${path} does not exist`,
  exists: (path) => `${path} already exists`,
};

const SIZE_LIMIT = (path: string): string => `${path} would be longer than a file may be here`;

/** Turns whatever a file operation on `path` threw into a `LedgerError`; one that already is passes unchanged. */
export function systemError(thrown: unknown, path: string): LedgerError {
  if (thrown instanceof LedgerError) return thrown;
  const errno = errnoOf(thrown);
  const code = CODES[errno] ?? 'io';
  const known = errno === 'EFBIG' ? SIZE_LIMIT : SENTENCES[code];
  const sentence = known?.(path) ?? `cannot use ${path}: ${messageOf(thrown)}`;
  const suffix = errno !== '' && code !== 'io' ? ` (${errno})` : '';
  return new LedgerError(code, sentence + suffix, { path }, { cause: thrown });
}

/** The `errno` name of a system error, or an empty text. */
export function errnoOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}
