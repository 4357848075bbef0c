import { gitReader } from '../revision/read-git.ts';

/**
 * Contents by git blob hash from the repository's own objects, read only and as they are stored: no filter, no line
 * end conversion. What git does not have, or when there is no git, is left out.
 */
export async function readGitObjects(
  root: string,
  git: string | null,
  env: Readonly<Record<string, string>>,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (git === null || hashes.length === 0) return new Map();
  const ask = gitReader(root, git, env);
  const answer = await ask(['cat-file', '--batch'], hashes.map((hash) => `${hash}\n`).join('')).catch(() => null);
  return answer === null ? new Map() : parseBatch(answer);
}

/** Each answer is `<hash> <type> <size>\n<bytes>\n`, or `<hash> missing\n`. */
function parseBatch(answer: Buffer): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (let at = 0; at < answer.length; ) {
    const lineEnd = answer.indexOf(10, at);
    if (lineEnd < 0) break;
    const [hash, type, size] = answer.toString('latin1', at, lineEnd).split(' ');
    at = lineEnd + 1;
    if (hash === undefined || size === undefined) continue;
    const end = at + Number(size);
    if (type === 'blob') found.set(hash, answer.subarray(at, end));
    at = end + 1;
  }
  return found;
}
