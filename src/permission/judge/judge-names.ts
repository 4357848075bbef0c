/**
 * Words that git takes for files where something of that name is there, and for a branch elsewhere: `git checkout main`
 * keeps uncommitted changes, and `git checkout src` takes them back.
 */
import type { PathPlaces } from '../paths/judge-path.ts';
import { placeOf } from '../paths/place-of.ts';
import type { ShellCommand } from '../shell/analysis.ts';
import type { Part } from './shell-question.ts';

/** The question where something of the name is there, or nobody looks; null elsewhere. */
export async function judgeNames(
  { words, profile }: ShellCommand,
  { folders, workspace, ports }: PathPlaces,
): Promise<Part | null> {
  if (profile.losesIfThere === undefined) return null;
  const { word, why } = profile.losesIfThere;
  const ask: Part = { what: words.map(({ text }) => text).join(' '), decision: 'ask', reason: why };
  if (ports?.kind === undefined) return ask;
  for (const folder of folders) {
    const place = placeOf(word.text, folder, workspace);
    // What leads out of the workspace is missing for those who look.
    if (place === null || (await ports.kind(place)) !== 'missing' || (await ports.realPath(place)) === null) return ask;
  }
  return null;
}
