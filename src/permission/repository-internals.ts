/**
 * Whether a path lies in a git directory: its configuration and hooks run code later, on behalf of the user, so no
 * mode and no rule lets an edit in. Case and invisible
 * characters are folded because some file systems do.
 */
export const isRepositoryInternal = (path: string): boolean =>
  path.split('/').some((segment) => segment.toLowerCase().replace(/\p{Cf}/gu, '') === '.git');
