/**
 * Options in every spelling that some parser of options takes: `--global-setup` for `--globalSetup`, any letter case, one
 * dash or three, underscores, any beginning of a name, a part of it behind a dot, `no-` in front. Programs differ in what
 * they take, so a harmless option may be taken for another one.
 */
import type { ShellWord } from '../shell-word.ts';
import { isOption, type Options } from './options.ts';

/** The first word that could be one of the options, or null. Words behind `--` count as well. */
export function findSpelling(words: readonly ShellWord[], options: Options): string | null {
  for (const { text } of words) if (couldBeOption(text, options)) return text;
  return null;
}

export function couldBeOption(text: string, options: Options): boolean {
  if (options.like?.test(text) === true || isOption(text, options)) return true;
  const given = text.split(/[=:]/, 1)[0] as string;
  const { long = [], except = [] } = options;
  if (!text.startsWith('-') || except.includes(text) || except.includes(given)) return false;
  const name = plain(options.takesNo === true ? given.replace(/^-+(no-)+/i, '') : given);
  // Behind one dash, a few letters are options of one letter each.
  if (name.length < (text.startsWith('--') ? 1 : 3)) return false;
  return long.some((one) => plain(one).startsWith(name) || name.startsWith(`${plain(one)}.`));
}

/** The name of an option without what parsers leave out of account. */
const plain = (name: string): string => name.replace(/[-_]/g, '').toLowerCase();
