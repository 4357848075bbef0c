/**
 * Whether a text would take the git directory away, which no checkpoint holds: asked in every mode, whatever the rules say.
 * Code of other languages is not read.
 */
import type { Loss } from '../contract.ts';
import { findMatches } from '../paths/find-matches.ts';
import { fullPath, placeOf, waysOf } from '../paths/place-of.ts';
import { compilePathGlob } from '../rules/path-glob.ts';
import type { Analysis, ShellCommand } from '../shell/analysis.ts';
import { everyCommand } from '../shell/every-command.ts';
import { readClean, subcommandAt } from '../shell/programs/git.ts';
import { programName } from '../shell/programs/profile-of.ts';
import type { ShellWord } from '../shell/shell-word.ts';
import { type Around, isAround } from './covered.ts';
import { foundBy } from './found-files.ts';
import { gitDirectoryIn } from './nested-repositories.ts';
import { written } from './operands.ts';
import { type Taking, takingsOf } from './takings.ts';

const why = 'the git directory would be lost, and with it every commit, branch and stash that is nowhere else';
const beyond = 'the git directory, with its commits, branches and stashes';
/** Folders that one pattern finds and that are looked into. */
const foundMax = 200;

/** Null where it stays. `text` is what was analysed. */
export async function repositoryLoss(text: string, analysis: Analysis, around: Around): Promise<Loss | null> {
  const named = namesGit(text) ? '.git' : await listed(analysis.commands, around);
  for (const taking of takingsOf(analysis)) {
    // Git itself takes no git directory away, unless it is forced twice.
    if (/^(edits|may)$/.test(taking.how) || programName(taking.what.split(' ')[0] ?? '') === 'git') continue;
    const path = taking.words === null ? named : await gitPathOf(taking.words, taking, around);
    if (path !== null) return { what: taking.what, why, takes: [], paths: [path], beyond };
  }
  const forced = everyCommand(analysis.commands).find(({ words }) => isForcedClean(words));
  const nested = forced === undefined || around.ports === null ? null : await gitDirectoryIn('.', around.ports);
  if (forced === undefined || nested === null) return null;
  return { what: forced.words.map(({ text }) => text).join(' '), why, takes: [], paths: [nested], beyond };
}

/** With one force `git clean` leaves other repositories alone. */
function isForcedClean(words: readonly ShellWord[]): boolean {
  if (programName(words[0]?.text ?? '') !== 'git') return false;
  const at = subcommandAt(words);
  const args = words.slice(at + 1);
  if (words[at]?.text !== 'clean' || readClean(args).given.has('dry-run')) return false;
  const forces = args.map(({ text }) =>
    /^--f/.test(text) ? 1 : /^-[a-zA-Z]/.test(text) ? text.split('f').length - 1 : 0,
  );
  return forces.reduce((sum, count) => sum + count, 0) > 1;
}

/** What git directory a search tells others of: that of the workspace above all, or of another repository. */
async function listed(commands: readonly ShellCommand[], around: Around): Promise<string | null> {
  const { folders, workspace, ports } = around;
  const starts = commands
    .filter(({ words }) => programName(words[0]?.text ?? '') === 'find')
    .map(({ words }) => foundBy(words))
    .flatMap((found) => (found.hasGit ? found.starts : []));
  if (starts.some((start) => folders.some((folder) => isAround(start, folder, workspace)))) return '.git';
  for (const start of starts) {
    for (const folder of folders) {
      const place = placeOf(start.text, folder, workspace);
      if (place !== null && ports !== null && (await gitDirectoryIn(place, ports)) !== null) return written(start);
    }
  }
  return null;
}

/** The word that means the git directory, as a loss writes it. */
async function gitPathOf(words: readonly ShellWord[], taking: Taking, around: Around): Promise<string | null> {
  for (const word of words) {
    for (const folder of around.folders) {
      if (!(await means(word, folder, taking, around))) continue;
      const isOther = word.kind === 'literal' && !isAround(word, folder, around.workspace);
      return taking.findsGit === true && !isOther ? '.git' : written(word);
    }
  }
  return null;
}

async function means(word: ShellWord, folder: string, taking: Taking, around: Around): Promise<boolean> {
  const { workspace, ports } = around;
  const { kind, text } = word;
  if (kind === 'dynamic') return namesGit(text);
  const isThere = async (path: string) => (await ports?.kind?.(path)) !== 'missing';
  if (isAround(word, folder, workspace)) {
    return takesAll(taking) && ((await isThere('.git')) || (await holdsTop(word, folder, around)));
  }
  const place = placeOf(text, folder, workspace);
  if (place === null) return namesGit(text);
  if (kind === 'pattern') {
    return place.split('/').some(patternMeansGit) || (takesOthers(taking) && (await finds(word, folder, around)));
  }
  const real = (await ports?.realPath(place)) ?? place;
  if ((isOfGit(place, taking) || isOfGit(real, taking)) && (await isThere(place))) return true;
  return takesOthers(taking) && ports !== null && (await gitDirectoryIn(place, ports)) !== null;
}

/** Whether a word means the top of the repository that the workspace is a part of, or a folder around it. */
async function holdsTop({ kind, text }: ShellWord, folder: string, { workspace, ports }: Around): Promise<boolean> {
  const top = (await ports?.elsewhere?.([]))?.top ?? '.';
  const word = { kind, text: fullPath(text, folder, workspace) };
  return top !== '.' && isAround(word, '', fullPath(top, '', workspace));
}

/** What is moved takes its git directory along. */
const takesOthers = (taking: Taking): boolean => taking.how !== 'moves' && takesAll(taking);

/** Whether a pattern finds a folder that is a repository of its own, or holds one. */
async function finds({ text }: ShellWord, folder: string, { workspace, ports }: Around): Promise<boolean> {
  if (ports === null) return false;
  const { places } = await findMatches(text, waysOf(text, folder, workspace), ports);
  for (const place of places.slice(0, foundMax)) if ((await gitDirectoryIn(place, ports)) !== null) return true;
  return false;
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
