/** The two halves of `mode hash`. */
export interface Side {
  /** Full mode, file type included; null where it is not known. */
  readonly mode: number | null;
  readonly hash: string;
}

const TYPE = 0o170000;
const LINK = 0o120000;
const PERMISSIONS = 0o777;
const SPECIAL = 0o7000;

export function parseSide(side: string): Side {
  const at = side.indexOf(' ');
  const mode = side.slice(0, at);
  return { mode: mode === '?' ? null : Number.parseInt(mode, 8), hash: side.slice(at + 1) };
}

export const isLink = ({ mode }: Side): boolean => mode !== null && (mode & TYPE) === LINK;

/** Whether two sides are the same file; a mode that is not known fits every mode. */
export function isSame(a: string | null, b: string | null): boolean {
  if (a === null || b === null || a === b) return a === b;
  const [one, other] = [parseSide(a), parseSide(b)];
  return one.hash === other.hash && (one.mode === null || other.mode === null || one.mode === other.mode);
}

/** Same kind and content, whatever the permissions. */
export function isSameContent(a: string | null, b: string | null): boolean {
  if (a === null || b === null) return a === b;
  const [one, other] = [parseSide(a), parseSide(b)];
  return one.hash === other.hash && isLink(one) === isLink(other);
}

/**
 * Permissions for a restored file: those it had, but never more than somebody else left it with since, and no special
 * bit that it does not have now. `now` null: there is no file at present.
 */
export function permissionsFor(to: Side, from: Side | null, now: Side | null): number | null {
  if (to.mode === null) return null;
  const wanted = to.mode & PERMISSIONS;
  if (now?.mode === undefined || now.mode === null) return wanted;
  const special = to.mode & now.mode & SPECIAL;
  const isOurs = from === null || from.mode === null || from.mode === now.mode;
  return special | (isOurs ? wanted : wanted & now.mode);
}

/** The special bits that a file had and that its new permissions lack, by name; null where there is none. */
export function specialNames(to: Side, mode: number | null): string | null {
  if (to.mode === null || mode === null || isLink(to)) return null;
  const names = SPECIAL_NAMES.filter(([bit]) => ((to.mode ?? 0) & ~mode & bit) !== 0).map(([, name]) => name);
  return names.length === 0 ? null : names.join(' and ');
}

const SPECIAL_NAMES = [
  [0o4000, 'setuid bit'],
  [0o2000, 'setgid bit'],
  [0o1000, 'sticky bit'],
] as const;
