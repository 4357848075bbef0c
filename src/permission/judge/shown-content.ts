/** Which version control commands show what is in files without naming them: in differences, searches and archives. */
import { subcommandAt } from '../shell/programs/git.ts';
import { findOption, type Options } from '../shell/programs/options.ts';
import { isRepository } from '../shell/programs/repositories.ts';
import type { ShellWord } from '../shell/shell-word.ts';

type Words = readonly ShellWord[];

/** Of which files content is shown. */
export interface Shown {
  /** Only of these; null: of any file, as far as the words tell. */
  readonly paths: Words | null;
  /** Paths where such files are there, because git takes no word that could be both a path and a revision; and places in commits. */
  readonly operands: Words;
}
const anything: Shown = { paths: null, operands: [] };

/** They make a difference of what only lists commits. A search for changes tells what is in them, too. */
const patch: Options = {
  short: 'puUcmLSG',
  long: '--patch --unified --cc --dd --color-words --word-diff --binary --remerge-diff --diff-merges --patch-with-stat --patch-with-raw'.split(
    ' ',
  ),
  except: ['--color'],
};
const hunks: Options = { short: 'p', long: ['--patch'] };
const current: Options = { long: ['--show-current-patch'] };

/** In place of a difference. */
const summary =
  /^(-s|--(no-patch|stat|numstat|shortstat|dirstat|summary|compact-summary|raw|name-only|name-status|quiet)(=.*)?)$/;
/** What may stand beside it: options that neither bring the difference back nor take the next word as their value. */
const besideSummary =
  /^(-[wbzRDMCtrn]|-n?\d+|--(cached|staged|merge-base|exit-code|(no-)?color|no-renames|no-ext-diff|no-textconv|relative|oneline|graph|all|first-parent|follow|reverse|(no-)?merges|(no-)?decorate|root|abbrev-commit|cumulative|ignore-[\w-]+|(color|decorate|abbrev|format|pretty|date|diff-filter|since|until|after|before|author|committer|grep|max-count|skip|ignore-submodules|find-renames|find-copies|stat-[\w-]+)=.*))$/s;

/** Options behind which the next word is no value of theirs. */
const flags =
  /^(-[pusw\d]+|--(patch|cached|staged|merge-base|oneline|graph|all|reverse|follow|stat|name-only|name-status|no-[\w-]+|[\w-]+=.*))$/;
const grepFlags = /^(-[nilwvcHhEFPG]+|--(cached|untracked|no-[\w-]+|[\w-]+=.*))$/;

/** Null where it shows no content, or only of files that it names as such. */
export function shownByGit(words: Words): Shown | null {
  const at = subcommandAt(words);
  const args = words.slice(at + 1);
  const has = (options: Options): boolean => findOption(args, options) !== null;
  // Elsewhere than where the text runs, names mean other files.
  const named = (free = flags, from = 0): Shown => (at > 1 ? anything : namedBy(args, free, from));
  switch (words[at]?.text) {
    case 'diff':
    case 'difftool':
      return isSummary(args) ? null : named();
    case 'show':
      return isSummary(args) && !args.some(couldBeFile) ? null : named();
    case 'log':
    case 'whatchanged':
    case 'reflog':
    case 'diff-tree':
    case 'diff-index':
    case 'diff-files':
      return has(patch) ? named() : null;
    case 'grep':
      return named(grepFlags, has({ short: 'ef' }) ? 0 : 1);
    case 'cat-file':
      if (has({ short: 'te' })) return null;
      return isPlaced(args) && at === 1 ? { paths: null, operands: args.filter(isPlace) } : anything;
    case 'stash':
      return has(/^(list|show)$/.test(args[0]?.text ?? '') ? patch : hunks) ? anything : null;
    case 'status':
    case 'commit':
      return has({ short: 'vp', long: ['--verbose', '--patch'] }) ? anything : null;
    case 'add':
    case 'reset':
      return has(hunks) ? anything : null;
    case 'request-pull':
      return has(hunks) ? anything : null;
    case 'am':
    case 'rebase':
      return has(current) ? anything : null;
    case 'worktree':
      return args[0]?.text === 'add' ? anything : null;
    case 'archive':
    case 'bundle':
    case 'fast-export':
    case 'format-patch':
    case 'merge-tree':
    case 'range-diff':
    case 'rerere':
    case 'unpack-file':
      return anything;
    default:
      return null;
  }
}

/** Whether only a summary is shown for certain. Nothing behind `--` is an option, and the last of several counts. */
function isSummary(args: Words): boolean {
  const end = args.findIndex(({ text }) => text === '--');
  const own = args.slice(0, end === -1 ? undefined : end);
  const options = own.filter(({ text }) => text.startsWith('-'));
  return (
    !own.some(couldBeOption) &&
    options.some(({ text }) => summary.test(text)) &&
    options.every(({ text }) => summary.test(text) || besideSummary.test(text))
  );
}

/** A variable, or a pattern that may find a file of such a name. */
const couldBeOption = ({ kind, text }: ShellWord): boolean =>
  kind === 'dynamic' || (kind === 'pattern' && /^[*?[{]/.test(text));

/** The content of a file may be named by its place in a commit, or by a number alone. */
const couldBeFile = ({ kind, text }: ShellWord): boolean =>
  kind !== 'literal' || /^[^-].*:|^:|^[0-9a-f]{4,}$/i.test(text);

/** A place in a commit. */
const isPlace = ({ text }: ShellWord): boolean => /^[^-:].*:/.test(text);
const isPlaced = (args: Words): boolean => args.every((word) => isPlace(word) || /^(-p|blob)$/.test(word.text));

/** `from`: so many operands are something else. */
function namedBy(args: Words, free: RegExp, from: number): Shown {
  const end = args.findIndex(({ text }) => text === '--');
  // An option could take the word behind it as its value.
  const isOperand = ({ text }: ShellWord, i: number): boolean => {
    const last = args[i - 1]?.text ?? '';
    return !text.startsWith('-') && (!last.startsWith('-') || free.test(last));
  };
  return { paths: end === -1 ? null : args.slice(end + 1), operands: args.filter(isOperand).slice(from) };
}

const showing =
  /^(annotate|archive|blame|bundle|cat|diff|extdiff|evolog|export|gdiff|grep|interdiff|praise|show|ann|udiff)$/;

/** Other programs name files in ways of their own. */
export function shownByOthers(program: string, words: Words): Shown | null {
  if (!isRepository(program)) return null;
  const isPatch = findOption(words.slice(1), { short: 'p', long: ['--patch', '--diff'] }) !== null;
  return isPatch || words.slice(1).some(({ text }) => showing.test(text)) ? anything : null;
}
