/**
 * Whether a text would take the git directory away, which no checkpoint holds: asked in every mode, whatever the rules say.
 * Code of other languages is not read.
 */
import type { Loss } from '../contract.ts';
import { placeOf } from '../paths/place-of.ts';
import { compilePathGlob } from '../rules/path-glob.ts';
import type { Analysis, ShellCommand } from '../shell/analysis.ts';
import { programName } from '../shell/programs/profile-of.ts';
import type { ShellWord } from '../shell/shell-word.ts';
import { type Around, isAround } from './covered.ts';
import { foundBy } from './found-files.ts';
import { written } from './operands.ts';
import { type Taking, takingsOf } from './takings.ts';

const why = 'the git directory would be lost, and with it every commit, branch and stash that is nowhere else';
const beyond = 'the git directory, with its commits, branches and stashes';

/** Null where it stays. `text` is what was analysed. */
export async function repositoryLoss(text: string, analysis: Analysis, around: Around): Promise<Loss | null> {
  const isNamed = namesGit(text) || analysis.commands.some((command) => lists(command, around));
  for (const taking of takingsOf(analysis)) {
    // Git itself takes no git directory away.
    if (/^(edits|may)$/.test(taking.how) || programName(taking.what.split(' ')[0] ?? '') === 'git') continue;
    const path = taking.words === null ? (isNamed ? '.git' : null) : await gitPathOf(taking.words, taking, around);
    if (path !== null) return { what: taking.what, why, takes: [], paths: [path], beyond };
  }
  return null;
}

/** Whether a search tells others of everything in the workspace, the git directory too. */
function lists({ words }: ShellCommand, { folders, workspace }: Around): boolean {
  if (programName(words[0]?.text ?? '') !== 'find') return false;
  const { starts, hasGit } = foundBy(words);
  return hasGit && starts.some((start) => folders.some((folder) => isAround(start, folder, workspace)));
}

/** The word that means the git directory, as a loss writes it. */
async function gitPathOf(words: readonly ShellWord[], taking: Taking, around: Around): Promise<string | null> {
  for (const word of words) {
    for (const folder of around.folders) {
      if (!(await means(word, folder, taking, around))) continue;
      return taking.findsGit === true ? '.git' : written(word);
    }
  }
  return null;
}

async function means(word: ShellWord, folder: string, taking: Taking, around: Around): Promise<boolean> {
  const { workspace, ports } = around;
  const { kind, text } = word;
  if (kind === 'dynamic') return namesGit(text);
  const isThere = async (path: string) => (await ports?.kind?.(path)) !== 'missing';
  if (isAround(word, folder, workspace)) return takesAll(taking) && (await isThere('.git'));
  const place = placeOf(text, folder, workspace);
  if (place === null) return namesGit(text);
  if (kind === 'pattern') return place.split('/').some(patternMeansGit);
  const real = (await ports?.realPath(place)) ?? place;
  return (isOfGit(place, taking) || isOfGit(real, taking)) && (await isThere(place));
}

/** Whether a folder goes with all that is in it. What is put into it replaces only what has the same name. */
const takesAll = ({ how, deep, what, findsGit }: Taking): boolean =>
  findsGit ?? (deep && (!/^(overwrites|writes)$/.test(how) || (/ --del/.test(what) && !what.includes('.git'))));

/** Locks that git left behind hold nothing; of what is only overwritten, hooks and settings are no commits. */
function isOfGit(place: string, { how }: Taking): boolean {
  const folded = place.toLowerCase();
  if (!/(^|\/)\.git(\/|$)/.test(folded) || folded.endsWith('.lock')) return false;
  if (!/^(overwrites|writes)$/.test(how)) return true;
  return /(^|\/)\.git(\/(head|index|packed-refs|(refs|objects|logs)(\/.*)?))?$/.test(folded);
}

/** A shell finds names with a dot in front only where the pattern says the dot. */
function patternMeansGit(segment: string): boolean {
  if (segment.toLowerCase() === '.git') return true;
  if (!/^[.{]/.test(segment)) return false;
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
