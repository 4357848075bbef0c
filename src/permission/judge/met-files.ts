/** The files that a command meets which shows what is in them. */
import type { PathPlaces } from '../paths/judge-path.ts';
import { beforePattern, placeOf } from '../paths/place-of.ts';
import type { Shown } from './shown-content.ts';

/** What is met: a file, or everything below a place. The empty place is the workspace. */
export interface Met {
  readonly place: string;
  readonly isFile: boolean;
}
export const everything: readonly Met[] = [{ place: '', isFile: false }];

export async function metByShown(
  { paths, operands }: Shown,
  { folders, workspace, ports }: PathPlaces,
): Promise<readonly Met[]> {
  const look = async (place: string): Promise<Met & { readonly isThere: boolean }> => {
    const kind = (await ports?.kind?.(place)) ?? 'missing';
    return { place, isFile: kind === 'file', isThere: kind !== 'missing' };
  };
  // The top of the repository, from which places in commits count, is one of the folders.
  const placesOf = (text: string): readonly string[] => folders.map((folder) => placeOf(text, folder, workspace) ?? '');
  const inCommits: Met[] = [];
  const there: Met[] = [];
  let revisions = 0;
  for (const { kind, text } of operands) {
    const inCommit = /^[^:]+:(.*)$/s.exec(text)?.[1];
    if (inCommit !== undefined) {
      inCommits.push(...(await Promise.all(placesOf(inCommit).map(look))));
      continue;
    }
    const found = kind === 'literal' ? await Promise.all(placesOf(text).map(look)) : [];
    if (found.length > 0 && found.every(({ isThere }) => isThere)) there.push(...found);
    else revisions++;
  }
  for (const { kind, text } of paths ?? []) {
    // Git reads its own signs in paths, whatever the shell makes of them.
    const start = kind === 'dynamic' || text.startsWith(':') ? '' : beforePattern(text.replaceAll('\\', '*'));
    there.push(...(await Promise.all(placesOf(start).map(look))));
  }
  if (there.length > 0) return [...inCommits, ...there];
  return revisions > 0 || inCommits.length === 0 ? everything : inCommits;
}
