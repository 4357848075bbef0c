/**
 * What a command could be once the shell has made its words: a pattern finds names of files, and a file may be called
 * `-delete`; a word that is known only when it runs may become what the text itself says.
 */
import type { Profile } from './analysis.ts';
import { profileOf } from './programs/profile-of.ts';
import { literalWord, type ShellWord } from './shell-word.ts';
import { hasChoice } from './spell-word.ts';

export interface Loosened {
  readonly profile: Profile;
  /** Why the words are not understood. */
  readonly doubts: readonly string[];
}

const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
/** One word for each way in which an option is told from other words. */
const strangeNames: readonly string[] = [
  ...letters.map((letter) => `-${letter}`),
  ...letters.slice(0, 26).map((letter) => `--${letter}`),
  '-delete',
];
/** Words of one command that are tried, and what one of them may become; with more of them it is not understood. */
const wordsMax = 12;
const spellingsMax = 40;

/** The profile of a command, narrowed by what its patterns and unknown words may become. The first word is literal. */
export function loosenedProfile(given: readonly ShellWord[]): Loosened {
  const end = endOfOptions(given);
  const words = [...given.slice(0, end), ...given.slice(end).map(withoutOption)];
  const profile = profileOf(words);
  if (profile.pathless === true || profile.loses !== undefined) return { profile, doubts: [] };
  const open = words.flatMap((word, i) => (word.pieces === undefined ? [] : [{ word, i }]));
  if (open.length > wordsMax || open.some(({ word }) => (word.spelled?.length ?? 0) > spellingsMax)) {
    return { profile, doubts: ['its patterns and variables may become more words than can be tried'] };
  }
  const doubts = open.flatMap(({ word }) =>
    isOptionPattern(word) ? [`a file name that ${word.text} finds may be another option`] : [],
  );
  let narrowed = profile;
  for (const { word, i } of open) {
    for (const name of namesOf(word)) {
      const then = profileOf(words.with(i, literalWord(name)));
      const option = isLoose(word) ? `a file name that ${word.text} finds may be read as an option` : null;
      if (then.loses !== undefined) {
        const loses = option === null ? then.loses : `${option}: ${then.loses}`;
        return { profile: { ...narrowed, loses }, doubts };
      }
      if (then.hazard !== undefined && narrowed.hazard === undefined) {
        narrowed = { ...narrowed, hazard: option ?? then.hazard };
      }
    }
  }
  return { profile: narrowed, doubts };
}

/** What is certain of the beginning of a word that finds names; nothing of other words. */
function beginningOf({ pieces = [] }: ShellWord): readonly string[] {
  const at = pieces.findIndex(({ kind }) => kind === 'glob');
  if (at < 0) return [];
  const texts = pieces.slice(0, at).filter((piece) => piece.kind === 'text');
  return [texts.map(({ text }) => text).join('')];
}

const isLoose = (word: ShellWord): boolean => beginningOf(word).includes('');

/** The name of a long option that is whole is judged as what it is, whatever stands behind its `=`. */
const isOptionPattern = (word: ShellWord): boolean => beginningOf(word).some((start) => /^-(?!-[\w-]+=)/.test(start));

function namesOf(word: ShellWord): readonly string[] {
  if (word.kind === 'dynamic' || hasChoice(word)) {
    const spelled = (word.spelled ?? []).filter(({ text }) => text !== '');
    // A pattern of a loop finds names of any kind, too.
    const isOpen = spelled.some(({ text, pattern }) => pattern && /^[*?[{]/.test(text));
    return [...spelled.map(({ text }) => text), ...(isOpen ? strangeNames : [])];
  }
  return beginningOf(word).flatMap((start) => (start === '' ? strangeNames : [`${start}a`]));
}

/** Spelled as what no program takes for an option. */
const withoutOption = (word: ShellWord): ShellWord =>
  word.kind === 'pattern' && isLoose(word) ? { kind: 'pattern', text: `./${word.text}` } : word;

/** Programs that certainly take no word behind `--` for an option. */
const ending = /^(grep|rg|ls|sort|wc|du|diff|git|sed|head|tail|cat|cp|mv|rm|mkdir|touch|jq|shuf)$/;

/** Position of the word behind which no option stands; behind the last where there is none. */
function endOfOptions(words: readonly ShellWord[]): number {
  const end = words.findIndex(({ kind, text }) => kind === 'literal' && text === '--');
  return end === -1 || !ending.test(words[0]?.text ?? '') ? words.length : end;
}
