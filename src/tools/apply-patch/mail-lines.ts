/**
 * What `git format-patch`, `git show` and `git log` put around a diff: the head of a mail or of a commit, its message,
 * how much each file changes, and the signature of the mail.
 */
import type { PatchReader } from './patch-reader.ts';

/** The first line of a mail or of a commit of a log. */
export const isEnvelope = (line: string): boolean => /^(From|commit) [0-9a-f]{7,64}\b/.test(line);

const startsHead = (line: string): boolean =>
  isEnvelope(line) ||
  /^(From|Subject|Date|Author|Message-ID): /i.test(line) ||
  line === '---' ||
  /^ \S.* \| +(\d+ [-+]*|Bin .*)$/.test(line);

/** Goes on to the first file of the diff behind such a head; what begins otherwise stays as it is. */
export function skipMailHead(reader: PatchReader): void {
  if (!startsHead(reader.peek() ?? '')) return;
  while (reader.peek() !== undefined && !startsDiff(reader)) reader.next();
}

const startsDiff = (reader: PatchReader): boolean =>
  reader.peek()?.startsWith('diff --git ') === true ||
  (reader.peek()?.startsWith('--- ') === true &&
    reader.peek(1)?.startsWith('+++ ') === true &&
    reader.peek(2)?.startsWith('@@') === true);

/** `-- ` and the version of git, behind which nothing comes but the next mail. A line that goes is not meant. */
export function isSignature(reader: PatchReader, at: number): boolean {
  if (!/^-- ?$/.test(reader.peek(at) ?? '') || !/^\d+\.\d+/.test(reader.peek(at + 1) ?? '')) return false;
  let behind = at + 2;
  while (reader.peek(behind)?.trim() === '') behind++;
  const next = reader.peek(behind);
  return next === undefined || isEnvelope(next);
}
