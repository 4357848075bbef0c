/** Words of a command as its program reads them: operands, and the values of options. */
import type { ShellWord } from '../shell/shell-word.ts';

/** What is no option, and everything behind `--`. Values of options count too: a name too many costs a look. */
export function operandsOf(words: readonly ShellWord[]): readonly ShellWord[] {
  const end = words.findIndex(({ text }) => text === '--');
  const before = words
    .slice(1, end === -1 ? undefined : end)
    .filter(({ text }) => !text.startsWith('-') || text === '-');
  return end === -1 ? before : [...before, ...words.slice(end + 1)];
}

/** The values of some options: behind them, attached to a letter, or behind `=`. */
export function valuesOf(
  words: readonly ShellWord[],
  letters: string,
  long: readonly string[] = [],
): readonly ShellWord[] {
  const short = new RegExp(`^-[A-Za-z0-9]*?[${letters}]([^]*)$`);
  return words.flatMap((word, i) => {
    const next = words.slice(i + 1, i + 2);
    const name = word.text.split('=', 1)[0] as string;
    if (name.startsWith('--')) {
      if (name.length < 3 || !long.some((one) => one.startsWith(name))) return [];
      return word.text === name ? next : [{ ...word, text: word.text.slice(name.length + 1) }];
    }
    const value = short.exec(word.text)?.[1];
    return value === undefined ? [] : value === '' ? next : [{ ...word, text: value }];
  });
}

/** A literal as a shell would have to read it, so that it is never taken for a pattern or a variable; other words as they stand. */
export const written = ({ kind, text }: ShellWord): string =>
  kind === 'literal' ? text.replace(/^~|[\\"'$`*?[\]{}<(]/g, '\\$&') : text;
