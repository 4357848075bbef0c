/** Which files of its repository a command of git takes away, wherever in it they lie. */
import type { Loss } from '../contract.ts';
import type { ShellCommand } from '../shell/analysis.ts';
import { readClean, subcommandAt } from '../shell/programs/git.ts';
import { isOption } from '../shell/programs/options.ts';
import { programName } from '../shell/programs/profile-of.ts';
import { grammar, readOptions } from '../shell/programs/read-options.ts';
import { literalWord, type ShellWord } from '../shell/shell-word.ts';
import { operandsOf } from './operands.ts';

export interface Swept {
  readonly takes: Loss['takes'];
  /** Only what these name; null: anywhere in the repository. */
  readonly words: readonly ShellWord[] | null;
}

const changes: Loss['takes'] = ['changes'];
const here = literalWord('.');
const all: Swept = { takes: changes, words: null };
const stash = grammar(
  'k/keep-index q/quiet u/include-untracked a/all m/message= p/patch S/staged /pathspec-from-file= /pathspec-file-nul',
);

/** Null where the files stay. */
export function sweptBy({ words, profile }: ShellCommand): Swept | null {
  const program = programName(words[0]?.text ?? '');
  if (profile.loses === undefined && profile.losesIfThere === undefined) return null;
  if (program === 'gh') return all;
  if (program !== 'git') return null;
  const at = subcommandAt(words);
  const swept = ofSubcommand(words[at]?.text ?? '', words.slice(at));
  // In another folder or tree, and from a list, the names are of other files.
  const isElsewhere = words.slice(1, at).some(({ text }) => /^(-C|--git-dir|--work-tree)/.test(text));
  const isListed = words.some(({ text }) => isOption(text, { long: ['--pathspec-from-file', '--stdin'] }));
  return swept !== null && (isElsewhere || isListed) ? { ...swept, words: null } : swept;
}

/** `words` begin with the subcommand. */
function ofSubcommand(name: string, words: readonly ShellWord[]): Swept | null {
  const args = words.slice(1);
  const has = (long: string, short = ''): boolean =>
    args.some(({ text }) => isOption(text, { long: long.split(' '), short }));
  switch (name) {
    case 'reset':
      return has('--hard --merge') || args.some(({ kind }) => kind !== 'literal') ? all : null;
    case 'switch':
      return has('--force --discard-changes', 'f') ? all : null;
    case 'merge':
    case 'rebase':
    case 'cherry-pick':
    case 'revert':
    case 'am':
      return has('--abort --skip') ? all : null;
    case 'read-tree':
      return has('--reset') && has('', 'u') ? all : null;
    case 'checkout':
    case 'restore':
      return { takes: changes, words: named(words, has('--force --patch', 'fp')) };
    case 'checkout-index':
      return has('--force', 'f') ? { takes: changes, words: [...operandsOf(words), here] } : null;
    case 'rm':
      return has('--force', 'f') && !has('--cached') ? { takes: changes, words: operandsOf(words) } : null;
    case 'mv':
      return { takes: ['changes', 'untracked', 'ignored'], words: operandsOf(words) };
    case 'clean': {
      const { given, operands, strange } = readClean(args);
      const takes: Loss['takes'] =
        strange !== null || given.has('x') ? ['untracked', 'ignored'] : given.has('X') ? ['ignored'] : ['untracked'];
      return { takes, words: operands.length === 0 ? [here] : operands };
    }
    case 'stash':
      return stashed(args);
    default:
      return null;
  }
}

/** The files that are named; where one option means them all, only those behind `--`. */
function named(words: readonly ShellWord[], isForced: boolean): readonly ShellWord[] | null {
  const args = words.slice(1);
  const end = args.findIndex(({ text }) => text === '--');
  const behind = end < 0 ? [] : args.slice(end + 1);
  if (behind.length > 0) return behind;
  return isForced ? null : operandsOf(words);
}

function stashed(args: readonly ShellWord[]): Swept | null {
  const first = args[0]?.text ?? '';
  if (/^(drop|clear|pop|apply|branch|create|store)$/.test(first)) return null;
  const isNamed = /^(push|save)$/.test(first);
  const { given, operands, strange } = readOptions(args.slice(isNamed ? 1 : 0), stash);
  const isOpen = strange !== null || given.has('all');
  const takes: Loss['takes'] = isOpen
    ? ['changes', 'untracked', 'ignored']
    : given.has('include-untracked')
      ? ['changes', 'untracked']
      : changes;
  // What `save` is given is a message.
  return { takes, words: strange !== null || first === 'save' || operands.length === 0 ? null : operands };
}
