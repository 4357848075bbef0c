/** Whether a text makes ignored files known to git, so that what loses changes later in it loses them too. */
import type { Analysis, ShellCommand } from '../shell/analysis.ts';
import { subcommandAt } from '../shell/programs/git.ts';
import { isOption } from '../shell/programs/options.ts';
import { programName } from '../shell/programs/profile-of.ts';

export const stagesIgnored = ({ commands, writes }: Analysis): boolean =>
  commands.some(stages) || writes.some(({ word }) => /ignore|exclude/.test(word.text));

function stages({ words, inner }: ShellCommand): boolean {
  if (inner.some(stages)) return true;
  // Other rules of what is ignored let a plain `git add` take more.
  if (words.some(({ text }) => /ignore|exclude/i.test(text))) return true;
  if (programName(words[0]?.text ?? '') !== 'git') return false;
  const at = subcommandAt(words);
  const args = words.slice(at + 1);
  switch (words[at]?.text) {
    case 'add':
    case 'stage':
      return args.some(({ kind, text }) => kind === 'dynamic' || isOption(text, { long: ['--force'], short: 'f' }));
    case 'update-index':
      return true;
    default:
      return false;
  }
}
