/** The words that the shell may make of one word, as far as the text itself says what it may become. */
import type { ShellWord } from './shell-word.ts';
import type { Spelling, WordPiece } from './word-pieces.ts';

/** What the text itself gives its variables, in known above all. */
export type KnownValues = ReadonlyMap<string, readonly ShellWord[]>;

/** More than the files that one text may name, so that whoever reads them stops. */
const spellingsMax = 500;
const lengthMax = 20_000;

/** The same word, with what it may become. */
export function spellWord(word: ShellWord, known: KnownValues): ShellWord {
  if (word.pieces === undefined) return word;
  // A tilde in front is still one.
  const isChosen = hasChoice(word) && !/(^|[=:])~/.test(word.text);
  const spelled = joined(word.pieces, known).map(
    ({ text, plain, pattern }): Spelling =>
      pattern ? { text, pattern } : { text: plain, pattern: word.kind === 'pattern' && !isChosen },
  );
  return { ...word, spelled };
}

/** Whether braces make several words of one. */
export const hasChoice = ({ pieces }: ShellWord): boolean => pieces?.some(({ kind }) => kind === 'choice') === true;

/** How many words its braces make of one. */
export const choicesOf = ({ pieces = [] }: ShellWord): number =>
  pieces.reduce((sum, piece) => (piece.kind === 'choice' ? sum * piece.texts.length : sum), 1);

/** The same word as a pattern that nobody reads. */
export const unspelled = (word: ShellWord): ShellWord => ({ ...word, spelled: [{ text: word.text, pattern: true }] });

interface Begun {
  readonly text: string;
  readonly plain: string;
  readonly pattern: boolean;
}

function joined(pieces: readonly WordPiece[], known: KnownValues): readonly Begun[] {
  let all: readonly Begun[] = [{ text: '', plain: '', pattern: false }];
  for (const [i, piece] of pieces.entries()) {
    const next = becomes(piece, i === 0, known);
    all = all
      .flatMap((begun) =>
        next.map((more) => ({
          text: begun.text + more.text,
          plain: begun.plain + more.plain,
          pattern: begun.pattern || more.pattern,
        })),
      )
      .filter(({ text }) => text.length < lengthMax)
      .slice(0, spellingsMax);
  }
  return all;
}

function becomes(piece: WordPiece, isFirst: boolean, known: KnownValues): readonly Begun[] {
  if (piece.kind === 'text') return [plain(piece.text)];
  if (piece.kind === 'glob') return [{ text: piece.text, plain: piece.text, pattern: true }];
  if (piece.kind === 'choice') {
    return piece.texts.map((text) => (/[*?[]/.test(text) ? { text, plain: text, pattern: true } : plain(text)));
  }
  const { source, variable, or } = piece;
  if (isFirst && variable === 'HOME') return [plain('~')];
  if (isFirst && variable === 'PWD') return [plain('.')];
  const values = known.get(variable ?? '');
  if (values !== undefined) {
    return values.flatMap(({ text, spelled }) =>
      (spelled ?? [{ text, pattern: false }]).map((one) =>
        one.pattern ? { text: one.text, plain: one.text, pattern: true } : plain(one.text),
      ),
    );
  }
  // A variable that is not set, or an output that is empty, leaves what stands behind it.
  return [plain(source.replaceAll('"', '')), plain(''), ...or.flatMap((pieces) => joined(pieces, known))];
}

const plain = (text: string): Begun => ({ text: text.replace(/[*?[\]{}\\]/g, '\\$&'), plain: text, pattern: false });
