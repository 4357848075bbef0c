/**
 * A script that an interpreter runs may be a program that is known: `node node_modules/.bin/eslint`, `python manage.py`.
 * Its words are judged as that program's.
 */
import type { Profile } from '../analysis.ts';
import { literalWord, type ShellWord } from '../shell-word.ts';
import { optionHazard } from './dangerous-options.ts';
import { knownOptionsProfile } from './known-options.ts';

/** Commands of frameworks that take code, from their words or from whoever types it. One takes any beginning of `tinker`. */
const taking = /^(shell(_plus)?|dbshell|runscript|console|repl|runner|ti(n(k(er?)?)?)?)$/;

/** The script stands first. */
export function scriptProfile(words: readonly ShellWord[]): Profile {
  const file = (words[0]?.text ?? '').replace(/^.*\//s, '');
  const name = file.replace(/\.([cm]?[jt]s|py|rb|php|phar)$/, '');
  const args = words.slice(1);
  const options = optionHazard([literalWord(name), ...args]);
  if (options.hazard !== undefined) return options;
  const verb = args.find(({ text }) => taking.test(text));
  if (verb !== undefined) return { hazard: `${file} ${verb.text} may run code` };
  return knownOptionsProfile(file, words) ?? {};
}
