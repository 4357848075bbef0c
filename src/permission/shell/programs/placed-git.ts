import { literalWord, type ShellWord } from '../shell-word.ts';
import { programName } from './profile-of.ts';

/** The command that `git -C FOLDER …` is in that folder; null where the words say something else or nobody knows which. */
export function placedGit(
  words: readonly ShellWord[],
): { readonly folder: ShellWord; readonly words: readonly ShellWord[] } | null {
  const [program, ...rest] = words;
  if (rest[0]?.text !== '-C' || programName(program?.text ?? '') !== 'git') return null;
  let folder = '';
  let at = 0;
  for (; rest[at]?.text === '-C'; at += 2) {
    const next = rest[at + 1];
    if (next?.kind !== 'literal' || next.text === '') return null;
    // Each counts from the one before.
    folder = folder === '' || next.text.startsWith('/') ? next.text : `${folder}/${next.text}`;
  }
  return { folder: literalWord(folder), words: [...words.slice(0, 1), ...rest.slice(at)] };
}
