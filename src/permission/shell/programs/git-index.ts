/** What a git command puts into the index in the place of what is staged. */
import type { ShellWord } from '../shell-word.ts';
import { subcommandAt } from './git.ts';
import { gitOptions } from './git-options.ts';
import { isOption } from './options.ts';
import { type ReadOptions, readOptions } from './read-options.ts';

export interface Restaged {
  /** Words that name files; null: whatever is staged. */
  readonly words: readonly ShellWord[] | null;
  /** The only word may name a commit, and then everything is meant. */
  readonly mayBeCommit: boolean;
}

const nothing = null;
const whole: Restaged = { words: null, mayBeCommit: false };

/** Of the words of git; null where what is staged stays. Options that are not understood may do anything. */
export function restagedBy(words: readonly ShellWord[]): Restaged | null {
  const at = subcommandAt(words);
  const args = words.slice(at + 1);
  // With options of git itself, the words may mean other files.
  const isPlain = words.slice(1, at).every(({ text }) => /^--no-(pager|optional-locks)$/.test(text));
  const found = ofSubcommand(words[at]?.text ?? '', args);
  return found === null || isPlain ? found : whole;
}

function ofSubcommand(name: string, args: readonly ShellWord[]): Restaged | null {
  switch (name) {
    case 'add':
    case 'stage': {
      const read = readOptions(args, gitOptions.add);
      const spares = ['dry-run', 'intent-to-add', 'refresh'].some((option) => read.given.has(option));
      return read.strange === null && spares ? nothing : below(read);
    }
    case 'commit': {
      const read = readOptions(args, gitOptions.commit);
      if (read.strange !== null || read.given.has('all')) return whole;
      return read.operands.length === 0 ? nothing : below(read);
    }
    case 'reset': {
      const read = readOptions(args, gitOptions.reset);
      if (read.strange === null && read.given.has('soft')) return nothing;
      const end = args.findIndex(({ text }) => text === '--');
      const behind = end < 0 ? [] : args.slice(end + 1);
      if (behind.length > 0) return below({ ...read, operands: behind });
      return { ...below(read), mayBeCommit: read.operands.length === 1 };
    }
    case 'restore': {
      const read = readOptions(args, gitOptions.restore);
      return read.strange === null && !read.given.has('staged') ? nothing : below(read);
    }
    case 'rm':
      return below(readOptions(args, gitOptions.rm));
    case 'switch':
      return args.some(({ text }) =>
        isOption(text, { long: ['--force', '--discard-changes', '--merge'], short: 'fmC' }),
      )
        ? whole
        : nothing;
    case 'checkout': {
      const { given, strange } = readOptions(args, gitOptions.checkout);
      return strange === null && (given.has('b') || given.has('orphan')) ? nothing : whole;
    }
    case 'pull':
    case 'merge':
    case 'rebase':
      return args.some(({ text }) => isOption(text, { long: ['--autostash'] })) ? whole : nothing;
    case 'read-tree':
    case 'update-index':
      return whole;
    default:
      return nothing;
  }
}

/** Git has patterns and signs of its own in the names of files. */
function below({ operands, strange }: ReadOptions): Restaged {
  const isOpen = strange !== null || operands.length === 0 || operands.some(({ text }) => /^:|[*?[\\]/.test(text));
  return isOpen ? whole : { words: operands, mayBeCommit: false };
}
