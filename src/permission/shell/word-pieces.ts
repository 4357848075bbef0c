/** What a word is made of, as far as it tells which words the shell may make of it. */
import type { HereDocBody, ParameterOperation, ParsedScript, Word, WordPart } from 'unbash';

export type WordPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** Finds names of files; the text is what a pattern of paths would say. */
  | { readonly kind: 'glob'; readonly text: string }
  /** Each of the texts becomes a word of its own. */
  | { readonly kind: 'choice'; readonly texts: readonly string[] }
  /** Known only when it runs. `or` are texts in the word itself that it may become. */
  | {
      readonly kind: 'unknown';
      readonly source: string;
      readonly variable: string | null;
      readonly or: readonly (readonly WordPiece[])[];
    };

/** One word that may become of another. */
export interface Spelling {
  readonly text: string;
  /** It holds a pattern; the signs of one that mean themselves stand behind a backslash. */
  readonly pattern: boolean;
}

const depthMax = 8;

export const piecesOf = (word: Word | HereDocBody, depth = 0): readonly WordPiece[] =>
  word.parts === undefined
    ? [{ kind: 'text', text: word.type === 'Word' ? word.value : word.text }]
    : word.parts.flatMap((part) => ofPart(part, depth));

function ofPart(part: WordPart, depth: number): readonly WordPiece[] {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'text', text: part.value }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap((inner) => ofPart(inner, depth));
    case 'Glob':
      // Quotes inside of a set of characters make it hard to say which ones it holds.
      return [{ kind: 'glob', text: /["'\\$`]/.test(part.text) ? '*' : part.text }];
    case 'BraceExpansion':
      return [choiceOf(part.text) ?? { kind: 'glob', text: part.text }];
    case 'SimpleExpansion':
      return [unknown(part.text, part.text.slice(1))];
    case 'ParameterExpansion': {
      const operands = depth < depthMax && part.operation !== undefined ? operandsOf(part.operation) : [];
      const isWhole = part.prefix === undefined && part.index === undefined && part.operation === undefined;
      return [
        unknown(
          part.text,
          isWhole ? part.parameter : null,
          operands.map((word) => piecesOf(word, depth + 1)),
        ),
      ];
    }
    case 'CommandExpansion':
      return [ofSubstitution(part.text, part.script, depth)];
    default:
      return [unknown(part.text, null)];
  }
}

/** Of braces without others in them, quotes or anything that is substituted. */
function choiceOf(text: string): WordPiece | null {
  const inside = /^\{([^{}$`"'\\]*,[^{}$`"'\\]*)\}$/.exec(text)?.[1];
  return inside === undefined ? null : { kind: 'choice', texts: inside.split(',') };
}

const unknown = (source: string, variable: string | null, or: readonly (readonly WordPiece[])[] = []): WordPiece => ({
  kind: 'unknown',
  source,
  variable,
  or,
});

/** Of an expansion: what takes the place of the variable, or of a part of it. */
function operandsOf(operation: ParameterOperation): readonly Word[] {
  switch (operation.type) {
    case 'Default':
      return listed(operation.operand);
    case 'Replace':
      return listed(operation.replacement);
    default:
      return [];
  }
}

const listed = (word: Word | undefined): readonly Word[] => [word].filter((one) => one !== undefined);

/** What the words of a command that only prints them say; the folder at hand, or where a program is, where it prints that. */
function ofSubstitution(source: string, script: ParsedScript | undefined, depth: number): WordPiece {
  const [statement, ...more] = script?.commands ?? [];
  const command = statement?.command;
  if (depth >= depthMax || more.length > 0 || command?.type !== 'Command') return unknown(source, null);
  const name = command.name?.value;
  const words = command.suffix.flatMap((part) => (part.type === 'Word' ? [part] : []));
  if (name === 'pwd' && words.length === 0) return unknown(source, 'PWD');
  if (name === 'which' || ((name === 'command' || name === 'type') && /^-[vpP]$/.test(words[0]?.value ?? ''))) {
    return unknown(source, null, [words.slice(-1).flatMap((word) => piecesOf(word, depth + 1))]);
  }
  if (name !== 'echo' && name !== 'printf') return unknown(source, null);
  const printed = words
    .filter((word, i) => i > 0 || !/^-[neE]+$/.test(word.value))
    .flatMap((word, i): readonly WordPiece[] => [
      ...(i === 0 ? [] : [{ kind: 'text', text: ' ' } as const]),
      ...piecesOf(word, depth + 1),
    ]);
  return unknown(source, null, [printed]);
}
