/** How far a command reaches whose loss is asked about whatever lies there. */
import type { Loss } from '../contract.ts';
import { readClean, subcommandAt } from '../shell/programs/git.ts';
import { isRepository } from '../shell/programs/repositories.ts';
import type { ShellWord } from '../shell/shell-word.ts';
import { foundBy } from './found-files.ts';
import { operandsOf } from './operands.ts';

export interface Reach extends Pick<Loss, 'takes' | 'beyond'> {
  /** Only below these; null: anywhere in the workspace. */
  readonly words: readonly ShellWord[] | null;
}

export const everything: Loss['takes'] = ['changes', 'untracked', 'ignored'];
export const anywhere: Reach = { takes: everything, words: null, beyond: null };
const all = (...takes: Loss['takes'][number][]): Reach => ({ takes, words: null, beyond: null });
const outside = (beyond: string): Reach => ({ takes: [], words: null, beyond });
const below = (words: readonly ShellWord[] | null): Reach =>
  words === null || words.length === 0 ? anywhere : { takes: everything, words, beyond: null };

export function reachOf(program: string, words: readonly ShellWord[]): Reach {
  switch (program) {
    case 'git':
      return gitReach(words);
    case 'rm':
    case 'trash':
    case 'shred':
    case 'srm':
    case 'wipe':
    case 'truncate':
      return below(operandsOf(words));
    case 'find':
      return below(foundBy(words).starts);
    case 'dd':
      return below(
        words.flatMap((word) => (word.text.startsWith('of=') ? [{ ...word, text: word.text.slice(3) }] : [])),
      );
    default:
      // Nobody looks what other version control knows of the files.
      return isRepository(program)
        ? {
            ...anywhere,
            beyond: `what ${program} keeps besides the files (commits, shelves, what is added or merged), which nobody looked at`,
          }
        : anywhere;
  }
}

function gitReach(words: readonly ShellWord[]): Reach {
  const at = subcommandAt(words);
  const args = words.slice(at + 1).map(({ text }) => text);
  const has = (letters: string, ...long: readonly string[]): boolean =>
    args.some((text) => long.includes(text) || new RegExp(`^-[a-zA-Z]*[${letters}]`).test(text));
  switch (words[at]?.text) {
    case 'clean': {
      const { given, strange } = readClean(words.slice(at + 1));
      if (strange !== null) return all('untracked', 'ignored');
      if (given.has('X')) return all('ignored');
      return given.has('x') ? all('untracked', 'ignored') : all('untracked');
    }
    case 'stash': {
      if (/^(drop|clear|pop|branch)$/.test(args[0] ?? '')) return outside('stashes');
      if (has('a', '--all')) return anywhere;
      return has('u', '--include-untracked') ? all('changes', 'untracked') : all('changes');
    }
    case 'rm':
    case 'mv':
      // Elsewhere than where the text runs, the names mean other files.
      return below(at > 1 ? null : operandsOf(words.slice(at)));
    case 'push':
      return outside('commits of the remote');
    case 'fetch':
    case 'pull':
    case 'branch':
    case 'tag':
    case 'update-ref':
    case 'reflog':
    case 'gc':
    case 'prune':
    case 'repack':
    case 'filter-branch':
    case 'filter-repo':
      return outside('branches, tags and commits');
    case 'worktree':
      return outside('other worktrees');
    case 'submodule':
      return { ...anywhere, beyond: 'commits of submodules' };
    default:
      return all('changes', 'untracked');
  }
}
