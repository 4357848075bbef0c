/** What a shell text would take away, as far as its words tell: for the question, and for what is kept before it runs. */
import type { Loss } from '../contract.ts';
import type { Analysis, ShellCommand } from '../shell/analysis.ts';
import { subcommandAt } from '../shell/programs/git.ts';
import { programName } from '../shell/programs/profile-of.ts';
import type { ShellWord } from '../shell/shell-word.ts';

type Reach = Pick<Loss, 'takes' | 'paths' | 'beyond'>;

const lossesMax = 50;
const everything: Loss['takes'] = ['changes', 'untracked', 'ignored'];
const anywhere: Reach = { takes: everything, paths: null, beyond: null };
const outside = (beyond: string): Reach => ({ takes: [], paths: null, beyond });

/** Empty where nothing is known to be lost. */
export function lossesOf(analysis: Analysis): readonly Loss[] {
  const losses = analysis.commands.flatMap(lossesOfCommand);
  for (const { word, append } of analysis.writes) {
    if (append || /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/.test(word.text)) continue;
    const why = `the present content of ${word.text} would be overwritten`;
    losses.push({ what: `> ${word.text}`, why, takes: everything, paths: [word.text], beyond: null });
  }
  return losses.slice(0, lossesMax);
}

function lossesOfCommand({ words, profile, inner }: ShellCommand): Loss[] {
  const what = words.map(({ text }) => text).join(' ');
  const own: Loss[] = profile.loses === undefined ? [] : [{ what, why: profile.loses, ...reachOf(words) }];
  for (const { word, append } of profile.writes ?? []) {
    if (append) continue;
    const why = `the present content of ${word.text} would be overwritten`;
    own.push({ what, why, takes: everything, paths: [word.text], beyond: null });
  }
  return [...own, ...inner.flatMap(lossesOfCommand)];
}

function reachOf(words: readonly ShellWord[]): Reach {
  const program = programName(words[0]?.text ?? '');
  const texts = words.map(({ text }) => text);
  switch (program) {
    case 'git':
      return gitReach(words);
    case 'rm':
    case 'trash':
    case 'shred':
    case 'srm':
    case 'wipe':
    case 'truncate':
      return below(texts.slice(1).filter((text) => !text.startsWith('-')));
    case 'find': {
      // Its expression is there: it says `-delete`.
      const end = texts.findIndex((text) => /^[-(!]/.test(text) && !/^-[HLPDO]/.test(text));
      const starts = texts.slice(1, end).filter((text) => !text.startsWith('-'));
      return below(starts.length === 0 ? ['.'] : starts);
    }
    case 'dd':
      return below(texts.flatMap((text) => (text.startsWith('of=') ? [text.slice(3)] : [])));
    default:
      return anywhere;
  }
}

const below = (paths: readonly string[]): Reach =>
  paths.length === 0 ? anywhere : { takes: everything, paths, beyond: null };

function gitReach(words: readonly ShellWord[]): Reach {
  const at = subcommandAt(words);
  const args = words.slice(at + 1).map(({ text }) => text);
  const has = (letters: string, ...long: readonly string[]): boolean =>
    args.some((text) => long.includes(text) || new RegExp(`^-[a-zA-Z]*[${letters}]`).test(text));
  switch (words[at]?.text) {
    case 'clean':
      if (has('X')) return { takes: ['ignored'], paths: null, beyond: null };
      return { takes: has('x') ? ['untracked', 'ignored'] : ['untracked'], paths: null, beyond: null };
    case 'stash': {
      if (/^(drop|clear|pop|branch)$/.test(args[0] ?? '')) return outside('stashes');
      const takes: Loss['takes'] = has('a', '--all')
        ? everything
        : has('u', '--include-untracked')
          ? ['changes', 'untracked']
          : ['changes'];
      return { takes, paths: null, beyond: null };
    }
    case 'rm':
    case 'mv':
      return below(args.filter((text) => !text.startsWith('-')));
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
      return { takes: everything, paths: null, beyond: 'commits of submodules' };
    default:
      return { takes: ['changes', 'untracked'], paths: null, beyond: null };
  }
}
