/** Programs that read every file below a folder, or show what is in commits, meet files that a rule keeps from being read. */
import type { PathPlaces } from '../paths/judge-path.ts';
import { placeOf } from '../paths/place-of.ts';
import type { ShellCommand } from '../shell/analysis.ts';
import { findOption } from '../shell/programs/options.ts';
import { programName } from '../shell/programs/profile-of.ts';
import { everything, type Met, metByShown } from './met-files.ts';
import type { RuleSet } from './rule-set.ts';
import type { Part } from './shell-question.ts';
import { shownByGit, shownByOthers } from './shown-content.ts';

/** The question where rules keep files from being read that the command would come across; null elsewhere. */
export async function judgeRecursion(
  { words }: ShellCommand,
  { deny, ask }: Pick<RuleSet, 'deny' | 'ask'>,
  where: PathPlaces,
): Promise<Part | null> {
  const program = programName(words[0]?.text ?? '');
  const reading = [...deny, ...ask]
    .filter((rule) => rule.kind === 'paths')
    .filter((rule) => rule.tools.includes('Read'));
  if (reading.length === 0) return null;
  const shown = program === 'git' ? shownByGit(words) : shownByOthers(program, words);
  const met =
    shown !== null
      ? await metByShown(shown, where)
      : isRecursive(program, words)
        ? metBelow(program, words, where)
        : null;
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

function metBelow(program: string, words: ShellCommand['words'], { folders, workspace }: PathPlaces): readonly Met[] {
  const operands = words.slice(1).filter(({ text }) => !text.startsWith('-'));
  const below = operands.slice(hasPattern(program, words) ? 1 : 0).flatMap(({ text, kind }) => {
    // A pattern may find any folder, and the program may take the pattern of names from an option.
    if (kind !== 'literal') return [''];
    return folders.map((folder) => placeOf(text, folder, workspace) ?? '');
  });
  return below.length === 0 ? everything : below.map((place) => ({ place, isFile: false }));
}

/** Whether the first operand is what is searched for, and no option holds that; `--file` is a beginning of `--files`. */
const hasPattern = (program: string, words: ShellCommand['words']): boolean =>
  /^(grep|rg|ag|ack)$/.test(program) &&
  findOption(words.slice(1), { short: 'efg', long: ['--regexp', '--files'] }) === null;

function isRecursive(program: string, words: ShellCommand['words']): boolean {
  if (program === 'grep') {
    return (
      findOption(words.slice(1), {
        short: 'rRd',
        long: ['--recursive', '--dereference-recursive', '--directories'],
      }) !== null
    );
  }
  if (program === 'cp')
    return findOption(words.slice(1), { short: 'rRa', long: ['--recursive', '--archive'] }) !== null;
  return /^(rg|ag|ack|tar|zip|rsync)$/.test(program);
}
