/**
 * The paths that a word of a command could name. Which word is a path depends on the program, so every piece that
 * could be one counts: what is no path costs at most a question.
 */
import type { ShellCommand } from '../shell/analysis.ts';
import type { ShellWord } from '../shell/shell-word.ts';
import type { Spelling } from '../shell/word-pieces.ts';

export interface NamedPath {
  readonly text: string;
  /** It holds a pattern: its name is not known, only what stands before the pattern. */
  readonly pattern: boolean;
  /** It is the address of a file with signs that the program itself may read as other ones. */
  readonly encoded?: boolean;
}

export function pathsOfCommand({ words, profile }: ShellCommand): readonly NamedPath[] {
  if (profile.pathless === true) return [];
  const skipped = profile.notPaths ?? [];
  const found: NamedPath[] = [];
  for (const [i, word] of words.entries()) {
    if (i > 0 && !skipped.includes(i)) for (const one of spellingsOf(word)) found.push(...pathsOfSpelling(one));
    // The program itself only where it is named by its path.
    else if (i === 0 && word.text.includes('/')) found.push({ text: word.text, pattern: false });
  }
  return found;
}

/** Of a text that may become several words: each of them counts, and the whole. */
export const pathsOfText = (word: ShellWord): readonly NamedPath[] =>
  spellingsOf(word).flatMap((spelling) =>
    [...new Set([spelling.text, ...spelling.text.split(/\s+/)])]
      .filter((text) => text !== '')
      .flatMap((text) => pathsOfSpelling({ ...spelling, text })),
  );

/** Codes of signs, choices and ranges, and what may stand behind the path, as in `file:///x/%2eenv` and `file:{/x}`. */
const encodedAddress = /(?<![\w.+-])(file:(?=\S*[^\w./~+@,=:\s-])\S*)/i;

/** Every pattern of a text is spelled. */
const spellingsOf = ({ text, spelled }: ShellWord): readonly Spelling[] => spelled ?? [{ text, pattern: false }];

function pathsOfSpelling({ text, pattern }: Spelling): readonly NamedPath[] {
  // Most words have no pieces, and every word of every command is looked at.
  if (/^[^=:,@-][^=:,@]*$/.test(text)) return [{ text, pattern }];
  if (/^(https?|ssh|git|wss?):\/\//i.test(text)) return [];
  const address = encodedAddress.exec(text)?.[1];
  const pieces = new Set(text.split(/[=:,@]/));
  if (!text.startsWith('-')) pieces.add(text);
  else if (!text.startsWith('--')) {
    // The value may be attached to a letter, or to a cluster of letters.
    pieces.add(text.slice(2));
    const value = /^-[A-Za-z0-9]*([/~.].*)$/s.exec(text)?.[1];
    if (value !== undefined) pieces.add(value);
  }
  const encoded = address === undefined ? [] : [{ text: address, pattern: false, encoded: true }];
  // Only the first of the same text is judged.
  return [...encoded, ...[...pieces].filter((piece) => piece !== '').map((piece) => ({ text: piece, pattern }))];
}
