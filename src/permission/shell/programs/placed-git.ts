import type { ShellWord } from '../shell-word.ts';
import { programName } from './profile-of.ts';

/** The command that `git -C FOLDER …` is in that folder; null where the words say something else or nobody knows which. */
export function placedGit(
  words: readonly ShellWord[],
): { readonly folder: ShellWord; readonly words: readonly ShellWord[] } | null {
  const [program, option, folder, ...rest] = words;
  if (program === undefined || folder === undefined || programName(program.text) !== 'git') return null;
  if (option?.kind !== 'literal' || option.text !== '-C') return null;
  // Git stays where it is for an empty word.
  if (folder.kind !== 'literal' || folder.text === '') return null;
  return { folder, words: [program, ...rest] };
}
