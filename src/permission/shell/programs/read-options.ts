/**
 * The options of a command as getopt and git's own reader take them: letters in clusters, values attached or in the next
 * word, long ones by any unique beginning, `--no-x` taking `--x` back, nothing behind `--`. For policies that an option
 * makes milder: only what is certainly given counts.
 */
import type { ShellWord } from '../shell-word.ts';

interface Known {
  readonly letter: string;
  /** The long name; the letter where it has none. */
  readonly name: string;
  /** A value may be attached to it. */
  readonly takes: boolean;
  /** Without one attached, the next word is its value. */
  readonly needs: boolean;
}
export type Grammar = readonly Known[];

/** Options as `n/dry-run /depth= S/gpg-sign?`: letter, long name, `=` for a value, `?` for one that is only attached. */
export const grammar = (text: string): Grammar =>
  text.split(' ').map((one) => {
    const [letter = '', long = ''] = one.replace(/[=?]$/, '').split('/');
    return { letter, name: long || letter, takes: /[=?]$/.test(one), needs: one.endsWith('=') };
  });

export interface ReadOptions {
  /** What was given and not taken back, by name, with the values in their order. */
  readonly given: ReadonlyMap<string, readonly ShellWord[]>;
  readonly operands: readonly ShellWord[];
  /** The first word that is not understood: what stands behind it may be its value. */
  readonly strange: string | null;
}

/** `words` begin behind the program or subcommand. */
export function readOptions(words: readonly ShellWord[], known: Grammar): ReadOptions {
  const given = new Map<string, readonly ShellWord[]>();
  const operands: ShellWord[] = [];
  let strange: string | null = null;
  const give = (name: string, value: ShellWord | undefined): void => {
    given.set(name, [...(given.get(name) ?? []), ...(value === undefined ? [] : [value])]);
  };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as ShellWord;
    if (word.text === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (!word.text.startsWith('-') || word.text === '-') {
      // A variable may stand for an option; a pattern finds names.
      if (word.kind === 'dynamic') strange ??= word.text;
      operands.push(word);
      continue;
    }
    const attached = (text: string): ShellWord => ({ kind: word.kind, text });
    if (word.text.startsWith('--')) {
      const [name = '', ...rest] = word.text.slice(2).split('=');
      const one = longOption(name, known);
      if (one === null) strange ??= word.text;
      else if (one.withdrawn) given.delete(one.option.name);
      else if (rest.length > 0) give(one.option.name, attached(rest.join('=')));
      else give(one.option.name, one.option.needs ? words[++at] : undefined);
      continue;
    }
    for (let i = 1; i < word.text.length; i++) {
      const option = known.find(({ letter }) => letter === word.text[i]);
      if (option === undefined) {
        strange ??= word.text;
        break;
      }
      const rest = word.text.slice(i + 1);
      if (!option.takes) {
        give(option.name, undefined);
        continue;
      }
      if (rest !== '') give(option.name, attached(rest));
      else give(option.name, option.needs ? words[++at] : undefined);
      break;
    }
  }
  return { given, operands, strange };
}

function longOption(name: string, known: Grammar): { readonly option: Known; readonly withdrawn: boolean } | null {
  const long = known.filter((one) => one.name.length > 1);
  const one = (text: string): Known | undefined => {
    const begun = long.filter((option) => option.name.startsWith(text));
    return begun.find((option) => option.name === text) ?? (begun.length === 1 ? begun[0] : undefined);
  };
  const option = one(name);
  if (option !== undefined) return { option, withdrawn: false };
  const base = name.startsWith('no-') ? one(name.slice(3)) : undefined;
  return base === undefined ? null : { option: base, withdrawn: true };
}
