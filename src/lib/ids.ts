/**
 * Identities. An id is 16 characters of Crockford base32 (80 random bits): short in the ledger, safe in a file name,
 * a git reflog line and a shell word, and unique over sessions and forks.
 */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 16;

/** `random` fills the given bytes; the caller decides whether they come from the system or from a seed. */
export function makeId(random: (bytes: Uint8Array) => void): string {
  const bytes = new Uint8Array(LENGTH);
  random(bytes);
  let id = '';
  for (const byte of bytes) id += ALPHABET[byte & 31];
  return id;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Whether a text may name a session: it becomes a folder name, so separators and leading dots are refused. */
export const isSessionId = (text: string): boolean => ID.test(text);
