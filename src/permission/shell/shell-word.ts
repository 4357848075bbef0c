/** One word of a command, as far as it is known before the command runs. */
import type { Word, WordPart } from 'unbash';
import { piecesOf, type Spelling, type WordPiece } from './word-pieces.ts';

export interface ShellWord {
  /** `literal`: its value is known. `pattern`: a glob, brace or tilde. `dynamic`: known only when it runs. */
  readonly kind: 'literal' | 'pattern' | 'dynamic';
  /** The decoded value of a literal, the source of everything else. */
  readonly text: string;
  /** Dynamic, but certainly one word: the whole of it stands in double quotes. */
  readonly single?: boolean;
  /** Dynamic, but one of the words that `spelled` tells: nothing in it is unknown but variables of loops around it. */
  readonly told?: boolean;
  /** Dynamic, but certainly one word that names a stream: what a command prints, as `<(…)`. */
  readonly fed?: boolean;
  /** Of everything but a literal: what it is made of. */
  readonly pieces?: readonly WordPiece[];
  /** What it may become, as far as the text tells; see `spellWord`. */
  readonly spelled?: readonly Spelling[];
}

export const literalWord = (text: string): ShellWord => ({ kind: 'literal', text });
/** Stands for words that nobody knows before the command runs, such as those that `xargs` reads. */
export const unknownWord: ShellWord = { kind: 'dynamic', text: '…' };

export function readWord(word: Word): ShellWord {
  const kind = wordKind(word);
  if (kind === 'literal') return literalWord(word.value);
  const pieces = piecesOf(word);
  const single = kind === 'dynamic' && isOneQuote(word) ? { single: true } : {};
  return { kind, text: word.text, pieces, ...single, ...(isStream(word) ? { fed: true } : {}) };
}

/**
 * The text by which words are compared: a pattern or dynamic word keeps its source behind a NUL, which no literal word
 * can hold, so that `*.c` and `'*.c'` never compare equal.
 */
export const wordKey = ({ kind, text }: ShellWord): string =>
  kind === 'literal' ? text : kind === 'pattern' ? `\0${text}` : `\0\0${text}`;

const isStream = ({ parts = [], text }: Word): boolean =>
  parts.length === 1 && parts[0]?.type === 'ProcessSubstitution' && text.startsWith('<(');

/** `"$@"` and arrays become several words in spite of the quotes. */
const isOneQuote = ({ parts = [], text }: Word): boolean =>
  parts.length === 1 && parts[0]?.type === 'DoubleQuoted' && !/\$\{?[!#]?@|\[@|@\}/.test(text);

function wordKind(word: Word): ShellWord['kind'] {
  const kinds = (word.parts ?? []).map(partKind);
  if (kinds.includes('dynamic')) return 'dynamic';
  // The parser does not mark tildes; a quoted one may be taken for a pattern here, which only makes it compare by text.
  return kinds.includes('pattern') || /(^|[=:])~/.test(word.text) ? 'pattern' : 'literal';
}

/** Null: its value is known. */
function partKind(part: WordPart): 'pattern' | 'dynamic' | null {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return null;
    case 'DoubleQuoted':
      return part.parts.every((inner) => inner.type === 'Literal') ? null : 'dynamic';
    case 'Glob':
    case 'BraceExpansion':
      return (part.parts ?? []).every((inner) => partKind(inner) !== 'dynamic') ? 'pattern' : 'dynamic';
    default:
      // Expansions, substitutions, translated strings and extended globs, which carry patterns of their own.
      return 'dynamic';
  }
}
