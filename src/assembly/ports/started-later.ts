/** The files of a workspace from which something of the user's starts, beyond those that go by their names. */
import { homedir } from 'node:os';
import path from 'node:path';
import { isBelow } from '#permission';
import { gitNamed } from '../sandbox/git-places.ts';
import { realOf } from '../sandbox/real-paths.ts';

/** How long what git's settings name is taken for the same: as long as one text is judged. */
const freshMs = 500;

/** `guarded`: files of trusted hooks. What git names is looked up at each question, because git's settings may change. */
export function startedLater(root: string, guarded: readonly string[]): (place: string) => boolean {
  const named = guarded.map((name) => path.join(root, name));
  const ofHooks = [...named, ...named.flatMap((at) => realOf(at) ?? [])].map(fold);
  let ofGit: readonly string[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  return (place) => {
    const at = fold(path.resolve(root, place));
    if (ofHooks.includes(at)) return true;
    if (performance.now() - readAt > freshMs) {
      ofGit = gitNamed(root, homedir()).map(fold);
      readAt = performance.now();
    }
    return ofGit.some((folder) => isBelow(at, folder));
  };
}

/** Some file systems know no case. */
const fold = (text: string): string => text.toLowerCase();
