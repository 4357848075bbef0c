/** Whether a text would take the git directory away, which no checkpoint holds: asked in every mode, whatever the rules say. */
import type { Loss } from '../contract.ts';
import { fullPath, normalPath, placeOf } from '../paths/place-of.ts';
import { compilePathGlob } from '../rules/path-glob.ts';
import type { Analysis } from '../shell/analysis.ts';
import type { ShellWord } from '../shell/shell-word.ts';
import type { Around } from './covered.ts';
import { written } from './operands.ts';
import { type Taking, takingsOf } from './takings.ts';

const beyond = 'the git directory, with its commits, branches and stashes';

/** Null where it stays. `text` is what was analysed. */
export async function repositoryLoss(text: string, analysis: Analysis, around: Around): Promise<Loss | null> {
  for (const taking of takingsOf(analysis)) {
    if (/^(edits|may)$/.test(taking.how) || taking.takes.length === 0) continue;
    const path = await gitPathOf(taking, text, around);
    if (path === null) continue;
    const why = `the git directory would be lost, and with it every commit, branch and stash that is nowhere else`;
    return { what: taking.what, why, takes: [], paths: [path], beyond };
  }
  return null;
}

/** The word that means the git directory, as a loss writes it. */
async function gitPathOf(taking: Taking, text: string, around: Around): Promise<string | null> {
  const { words, findsGit, what } = taking;
  if (what.startsWith('git ')) return null;
  if (words === null) return namesGit(text) ? '.git' : null;
  for (const word of words) {
    for (const folder of around.folders) {
      if (await means(word, folder, taking, around)) return findsGit === true ? '.git' : written(word);
    }
  }
  return null;
}

async function means(word: ShellWord, folder: string, taking: Taking, around: Around): Promise<boolean> {
  const { workspace, ports } = around;
  const { kind, text } = word;
  if (kind === 'dynamic') return namesGit(text);
  const place = placeOf(text, folder, workspace);
  const isThere = async (path: string) => (await ports?.kind?.(path)) !== 'missing';
  if (place === null || place === '.') {
    const full = fullPath(text, folder, workspace);
    const isAround = place === '.' || `${normalPath(workspace)}/`.startsWith(full === '/' ? '/' : `${full}/`);
    const takesAll = taking.findsGit ?? (taking.deep && taking.how !== 'overwrites');
    if (isAround)
      return (
        (takesAll || (taking.deep && /--del/.test(taking.what) && !/\.git/.test(taking.what))) &&
        (await isThere('.git'))
      );
    return namesGit(text);
  }
  if (kind === 'pattern') return place.split('/').some(patternMeansGit);
  const real = (await ports?.realPath(place)) ?? place;
  return (isOfGit(place, taking) || isOfGit(real, taking)) && (await isThere(place));
}

/** Locks that git left behind hold nothing; of what is only overwritten, hooks and settings are no commits. */
function isOfGit(place: string, { how }: Taking): boolean {
  const folded = place.toLowerCase().replace(/\p{Cf}/gu, '');
  if (!/(^|\/)\.git(\/|$)/.test(folded) || folded.endsWith('.lock')) return false;
  return (
    !/^(overwrites|writes)$/.test(how) ||
    /(^|\/)\.git(\/(head|index|packed-refs|(refs|objects|logs)(\/.*)?))?$/.test(folded)
  );
}

/** A shell finds names with a dot in front only where the pattern says the dot. */
function patternMeansGit(segment: string): boolean {
  if (segment.toLowerCase() === '.git') return true;
  if (!/^[.{]/.test(segment) || !/[*?[{]/.test(segment)) return false;
  const glob = compilePathGlob(segment);
  return !glob.ok || glob.value('.git');
}

/** Whether a text says `.git` otherwise than to leave it out. */
function namesGit(text: string): boolean {
  const rest = text
    .replace(/(!|-not)\s+-i?(path|name|wholename|regex)\s+\S+/g, '')
    .replace(/-i?(path|name|wholename)\s+\S+\s+-prune/g, '')
    .replace(/--(exclude|ignore)\S*\s*\S*|-v\s+\S+/g, '');
  return /(^|[\s"'/=])\.git(\/|["'\s;)]|$)/.test(rest);
}
