/** Options of a command, read so that no spelling of a dangerous one is missed; a harmless one may be taken for it. */
import type { ShellWord } from '../shell-word.ts';

export interface Options {
  /** Long options with their dashes; abbreviations and `=value` count too. */
  readonly long?: readonly string[];
  /** Letters of short options, also inside a cluster and with the value attached; `@`: a file of options. */
  readonly short?: string;
  /** Exact words that are not meant, though they look like an abbreviation or a cluster. */
  readonly except?: readonly string[];
  /** Other words that are meant as well. */
  readonly like?: RegExp;
  /** `no-` in front of a long option, once or more, does not keep it from taking a value. */
  readonly takesNo?: boolean;
}

/** The first word that could be one of the options, or null. Words behind `--` count as well: programs differ. */
export function findOption(words: readonly ShellWord[], options: Options): string | null {
  for (const { text } of words) if (isOption(text, options)) return text;
  return null;
}

export function isOption(text: string, { long = [], short = '', except = [] }: Options): boolean {
  if (text.startsWith('@')) return short.includes('@');
  if (!text.startsWith('-') || except.includes(text)) return false;
  const name = text.split('=', 1)[0] as string;
  if (except.includes(name)) return false;
  if (name.startsWith('--')) return name.length > 2 && long.some((one) => one.startsWith(name));
  // Some programs take long options with one dash.
  if (long.some((one) => one === `-${name}`)) return true;
  return [...text.slice(1)].some((letter) => short.includes(letter));
}

/** The words from the first operand on, when every word before it is an option that `known` describes; else null. */
export interface Leading {
  /** Options without a value. */
  readonly flags?: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
}

/** Position of the first word that is no option; null when an option is not known. The program stands at 0. */
export function firstOperand(words: readonly ShellWord[], { flags, valued }: Leading): number | null {
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at] as ShellWord;
    if (word.kind !== 'literal') return at;
    if (word.text === '--') return at + 1;
    if (!word.text.startsWith('-') || word.text === '-') return at;
    if (flags?.test(word.text) === true) continue;
    if (valued?.test(word.text) !== true) return null;
    at++;
  }
  return at;
}

/** The entry of a table under exactly this name; names such as `constructor` find nothing. */
export function entryOf<T>(table: { readonly [name: string]: T }, name: string): T | undefined {
  const found = table[name];
  return found !== undefined && Object.hasOwn(table, name) ? found : undefined;
}
