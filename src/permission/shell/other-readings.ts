/**
 * Where a shell may read a word in another way than the parser, so that what the parser takes for text would run.
 *
 * Quotes within `${…}` are the hard part: in double quotes and in here-documents they mean themselves before one
 * operator and quote before another, and shells do not agree on where the expansion ends. So nobody here knows which
 * reading is right; it is only told whether there can be more than one.
 */
import type { HereDocDelimiter, ParameterExpansionPart, ParameterOperation, Word, WordPart } from 'unbash';

/** Whether plain text holds a sign that starts a command. In quotes those of processes are no signs. */
export const startsUnseen = (text: string, isQuoted = false): boolean =>
  (isQuoted ? /`|\$\(/ : /`|[$<>]\(/).test(text.replace(/\\./gs, ''));

/** Whether a line goes on behind a backslash. Some texts are joined before their quotes are read, and some are not. */
export const joinsLines = (text: string): boolean => text.includes('\\\n');

/** Whether every shell takes the same line for the end of a here-document. */
export const endsAlike = (delimiter: HereDocDelimiter | undefined): boolean =>
  /^(\\?[\w.+@%:,/-]+|'[\w .+@%:,/-]+'|"[\w .+@%:,/-]+")$/.test(delimiter?.text ?? '');

/** Whether every shell ends the expansion at the same place, and starts within it only what the parser found. */
export function isReadAlike(part: ParameterExpansionPart, inHereDoc: boolean): boolean {
  const signs = signsOf(part);
  if (signs === null) return false;
  const bare = signs.replace(inHereDoc ? /\\[\w./:, -]/g : /\\[^'{}\n]/g, '');
  if (/[\\`]|[$<>]\(/.test(bare)) return false;
  if (bare.includes("'")) return !/["\0$<>{}()\n]/.test(bare);
  return !bare.includes('"') || !/[<>{}]/.test(bare);
}

/** What stands between the braces, with a NUL in place of each expansion within; null where they are not found there. */
function signsOf(part: ParameterExpansionPart): string | null {
  let signs = '';
  let at = 2;
  for (const inner of expansionsOf(part)) {
    const start = inner.pos - part.pos;
    if (start < at || !part.text.startsWith(inner.text, start)) return null;
    signs += `${part.text.slice(at, start)}\0`;
    at = start + inner.text.length;
  }
  return signs + part.text.slice(at, -1);
}

function expansionsOf({ index, operation }: ParameterExpansionPart): readonly WordPart[] {
  const words = [index, ...(operation === undefined ? [] : wordsOf(operation))];
  return words.flatMap((word) => outermost(word?.parts ?? []));
}

/** Without those of processes: some shells look for their end, some for the end of the expansion around them, and some know none. */
const outermost = (parts: readonly WordPart[]): readonly WordPart[] =>
  parts.flatMap((part) => {
    switch (part.type) {
      case 'ParameterExpansion':
      case 'CommandExpansion':
      case 'ArithmeticExpansion':
        return [part];
      case 'DoubleQuoted':
        return outermost(part.parts);
      default:
        return [];
    }
  });

/** The words of an operation, in the order in which they stand. */
export function wordsOf(operation: ParameterOperation): readonly (Word | undefined)[] {
  switch (operation.type) {
    case 'Default':
    case 'Remove':
    case 'CaseModification':
    case 'Transform':
      return [operation.operand];
    case 'Replace':
      return [operation.pattern, operation.replacement];
    case 'Slice':
      return [operation.offset, operation.length];
    default:
      return [];
  }
}
