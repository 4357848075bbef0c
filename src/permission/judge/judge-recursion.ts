/** Programs that read every file below a folder, or show what is in commits, meet files that a rule keeps from being read. */
import { foundBy } from '../guard/found-files.ts';
import type { PathPlaces } from '../paths/judge-path.ts';
import { placeOf } from '../paths/place-of.ts';
import type { ShellCommand } from '../shell/analysis.ts';
import { findOption } from '../shell/programs/options.ts';
import { programName } from '../shell/programs/profile-of.ts';
import { everything, type Met, metByShown } from './met-files.ts';
import type { RuleSet } from './rule-set.ts';
import type { Part } from './shell-question.ts';
import { type Shown, shownByGit, shownByOthers } from './shown-content.ts';

/** The question where rules keep files from being read that the command would come across; null elsewhere. */
export async function judgeRecursion(
  { words }: ShellCommand,
  { deny, ask }: Pick<RuleSet, 'deny' | 'ask'>,
  where: PathPlaces,
): Promise<Part | null> {
  const reading = [...deny, ...ask]
    .filter((rule) => rule.kind === 'paths')
    .filter((rule) => rule.tools.includes('Read'));
  if (reading.length === 0) return null;
  const shown = shownBy(words);
  const met = shown !== null ? await metByShown(shown, where) : await metByReading(words, where);
  const rule = reading.find((one) =>
    met?.some(({ place, isFile }) => (isFile ? one.matches(place) : one.reaches(place))),
  );
  if (rule === undefined) return null;
  const what = words.map(({ text }) => text).join(' ');
  const how = shown === null ? 'reads every file below' : 'shows what is in files that it does not name';
  return {
    what,
    decision: 'ask',
    reason: `it ${how}, and rule ${rule.text} ${deny.includes(rule) ? 'denies' : 'asks for'} some`,
  };
}

function shownBy(words: ShellCommand['words']): Shown | null {
  const program = programName(words[0]?.text ?? '');
  return program === 'git' ? shownByGit(words) : shownByOthers(program, words);
}

async function metByReading(words: ShellCommand['words'], where: PathPlaces): Promise<readonly Met[] | null> {
  const program = programName(words[0]?.text ?? '');
  const name = nameOf(words[0]?.text ?? '');
  if (isStarting(program, words)) return metBelow(program === 'find' ? foundBy(words).starts : [], where);
  if (isRecursive(name, words)) return metBelow(foldersOf(name, words), where);
  return isComparing(name) ? metFolders(words, where) : null;
}

/** The name as it is written, because programs under several names search in several ways. */
const nameOf = (word: string): string => word.slice(word.lastIndexOf('/') + 1).toLowerCase();

function metBelow(
  operands: ShellCommand['words'],
  { folders, workspace }: Pick<PathPlaces, 'folders' | 'workspace'>,
): readonly Met[] {
  const below = operands.flatMap(({ text, kind }) => {
    // A pattern may find any folder, and the program may take the pattern of names from an option.
    if (kind !== 'literal') return [''];
    return folders.map((folder) => placeOf(text, folder, workspace) ?? '');
  });
  return below.length === 0 ? everything : below.map((place) => ({ place, isFile: false }));
}

/** Files that lie in two folders under one name are compared, whatever options say. */
async function metFolders(words: ShellCommand['words'], where: PathPlaces): Promise<readonly Met[]> {
  const operands = words.slice(1).filter(({ text }) => !text.startsWith('-'));
  const places = operands.length === 0 ? [] : metBelow(operands, where);
  const isFolder = async ({ place }: Met): Promise<boolean> =>
    place === '' || ((await where.ports?.kind?.(place)) ?? 'directory') === 'directory';
  const found = await Promise.all(places.map(isFolder));
  return places.filter((_place, i) => found[i]);
}

const foldersOf = (name: string, words: ShellCommand['words']): ShellCommand['words'] =>
  words
    .slice(1)
    .filter(({ text }) => !text.startsWith('-'))
    .slice(hasPattern(name, words) ? 1 : 0);

/** Whether the first operand is what is searched for, and no option holds that; `--file` is a beginning of `--files`. */
const hasPattern = (name: string, words: ShellCommand['words']): boolean =>
  (isGrep(name) || searching.test(name)) &&
  findOption(words.slice(1), { short: 'efg', long: ['--regexp', '--files'] }) === null;

/** They search everything below a folder without an option that says so. */
const searching = /^(rg|ripgrep|rga|ag|ack|pt|sift|hgrep|rgrep|ugrep\+?|ug\+?|ast-grep|sg|semgrep|ripgrep-all)$/;
const isGrep = (name: string): boolean => /grep$/.test(name) && name !== 'pgrep';
/** They show or take along all that they meet. */
const gathering =
  /^((bsd|g)?tar|zip|rsync|7z\w*|rar|repomix|code2prompt|files-to-prompt|gitingest|gitleaks|trufflehog)$/;
const isComparing = (name: string): boolean => /^\w*diff$/.test(name);

function isRecursive(name: string, words: ShellCommand['words']): boolean {
  const has = (short: string, ...long: readonly string[]): boolean =>
    findOption(words.slice(1), { short, long }) !== null;
  if (searching.test(name) || gathering.test(name)) return true;
  if (isGrep(name)) return has('rRd', '--recursive', '--dereference-recursive', '--directories');
  if (isComparing(name)) return has('r', '--recursive');
  return /^(cp|scp)$/.test(name) && has('rRa', '--recursive', '--archive');
}

/** Whether it hands to other programs what it finds, or what it reads of names. */
function isStarting(program: string, words: ShellCommand['words']): boolean {
  if (program === 'find') return words.some(({ text }) => /^-(exec|execdir|ok|okdir)$/.test(text));
  // `--exec` is a beginning of it.
  if (program === 'fd') return findOption(words.slice(1), { short: 'xX', long: ['--exec-batch'] }) !== null;
  return /^(xargs|parallel)$/.test(program);
}
