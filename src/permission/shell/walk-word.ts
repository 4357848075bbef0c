/** Walks the parts of a word: what it substitutes runs, and some expansions evaluate what variables hold. */
import type { ArithmeticExpression, HereDoc, ParameterOperation, ParsedScript, Word, WordPart } from 'unbash';
import type { Collector, Flow } from './collector.ts';
import { endsAlike, isReadAlike, joinsLines, startsUnseen, wordsOf } from './other-readings.ts';

export type WalkScript = (script: ParsedScript, to: Collector, depth: number, flow?: Flow) => void;

interface Walk {
  readonly to: Collector;
  readonly walkScript: WalkScript;
  readonly inHereDoc: boolean;
}

const depthMax = 40;
const otherReading = 'not every shell reads its quotes and substitutions alike';

export function walkWord(
  { text, parts }: Pick<Word, 'text' | 'parts'>,
  to: Collector,
  depth: number,
  walkScript: WalkScript,
): void {
  if (parts === undefined && startsUnseen(text)) to.doubt(otherReading);
  walkParts(parts ?? [], { to, walkScript, inHereDoc: false }, depth);
}

/** What stands in a here-document is substituted, too, unless its delimiter is quoted. */
export function walkHereDoc(
  { delimiter, body, closing }: HereDoc,
  to: Collector,
  depth: number,
  walkScript: WalkScript,
): void {
  if (!endsAlike(delimiter) || closing === undefined) to.doubt('not every shell ends its here-document alike');
  if (delimiter?.quoted === true) return;
  const { text, parts } = body;
  if (parts === undefined && startsUnseen(text, true)) to.doubt(otherReading);
  // Without an end in the last line. Some shells look for it behind the line that ends the document.
  if ((parts?.at(-1)?.type ?? 'Literal') !== 'Literal') to.doubt(otherReading);
  // Its lines are joined before what stands in them is read, quotes or not.
  if (parts?.some((part) => part.type !== 'Literal' && joinsLines(part.text))) to.doubt(otherReading);
  walkParts(parts ?? [], { to, walkScript, inHereDoc: true }, depth);
}

/** In double quotes, and in the text of a here-document, `isQuoted`. */
function walkParts(parts: readonly WordPart[], walk: Walk, depth: number, isQuoted = walk.inHereDoc): void {
  const { to, walkScript, inHereDoc } = walk;
  if (depth > depthMax) {
    to.doubt('words are nested too deeply');
    return;
  }
  const nested = (script: ParsedScript | undefined): void => {
    if (script === undefined) to.doubt('a substitution cannot be parsed');
    else walkScript(script, to, depth + 1, { feeds: true });
  };
  for (const part of parts) {
    switch (part.type) {
      case 'Literal':
        if (startsUnseen(part.text, isQuoted)) to.doubt(otherReading);
        break;
      case 'SingleQuoted':
      case 'SimpleExpansion':
        break;
      case 'AnsiCQuoted':
      case 'LocaleString':
        // Where such a string ends is not the same in every shell.
        to.doubt('it uses quotes that not every shell reads alike');
        break;
      case 'DoubleQuoted':
        walkParts(part.parts, walk, depth + 1, true);
        break;
      case 'Glob':
        walkParts(part.parts ?? [], walk, depth + 1);
        break;
      case 'BraceExpansion':
        to.doubt(`${part.text} becomes several words`);
        walkParts(part.parts ?? [], walk, depth + 1);
        break;
      case 'ExtendedGlob':
        to.doubt(`${part.text} is a pattern that not every shell reads alike`);
        walkParts(part.parts ?? [], walk, depth + 1);
        break;
      case 'CommandExpansion':
        if (part.text.startsWith('`') && isBackquotedAnew(part.text, inHereDoc)) to.doubt(otherReading);
        // Taken for arithmetic first.
        if (part.text.startsWith('$((')) to.doubt(otherReading);
        nested(part.script);
        break;
      case 'ProcessSubstitution':
        nested(part.script);
        break;
      case 'ArithmeticExpansion':
        walkArithmetic(part.expression, walk, depth + 1);
        break;
      case 'ParameterExpansion':
        if (!isReadAlike(part, inHereDoc)) to.doubt(otherReading);
        if (part.prefix === '!') to.doubt(`${part.text} expands what a variable names`);
        if (part.index !== undefined) {
          if (!/^([@*]|\d+)$/.test(part.index.text)) to.doubt(`${part.text} evaluates a subscript`);
          walkParts(part.index.parts ?? [], walk, depth + 1);
        }
        if (part.operation !== undefined) walkOperation(part.operation, walk, depth + 1);
        break;
      default:
        to.doubt('a word is not understood');
    }
  }
}

/** In backquotes, lines are joined even within quotes; and some shells take a here-document for double quotes. */
const isBackquotedAnew = (text: string, inHereDoc: boolean): boolean =>
  joinsLines(text) || (inHereDoc && text.includes('\\"'));

function walkOperation(operation: ParameterOperation, walk: Walk, depth: number): void {
  const { to } = walk;
  // What stands in its words has been looked at as a whole.
  for (const word of wordsOf(operation)) walkParts(word?.parts ?? [], walk, depth + 1);
  switch (operation.type) {
    case 'Default':
      if (operation.operator.endsWith('=')) to.doubt('an expansion sets a variable');
      return;
    case 'Slice':
      to.doubt('an expansion evaluates arithmetic');
      return;
    case 'Transform':
      to.doubt('an expansion evaluates what a variable holds');
      return;
    case 'Remove':
    case 'CaseModification':
    case 'Replace':
    case 'Names':
      return;
    default:
      to.doubt('an expansion is not understood');
      return;
  }
}

/** Numbers are safe; a name in arithmetic is evaluated again, and what it holds may run a command. */
function walkArithmetic(node: ArithmeticExpression | undefined, walk: Walk, depth: number): void {
  const { to, walkScript } = walk;
  if (depth > depthMax) {
    to.doubt('arithmetic is nested too deeply');
    return;
  }
  if (node === undefined) {
    to.doubt('arithmetic cannot be parsed');
    return;
  }
  const inner = (...parts: readonly ArithmeticExpression[]): void => {
    for (const part of parts) walkArithmetic(part, walk, depth + 1);
  };
  switch (node.type) {
    case 'ArithmeticBinary':
      inner(node.left, node.right);
      return;
    case 'ArithmeticUnary':
      inner(node.operand);
      return;
    case 'ArithmeticTernary':
      inner(node.test, node.consequent, node.alternate);
      return;
    case 'ArithmeticGroup':
      inner(node.expression);
      return;
    case 'ArithmeticWord':
      if (!/^\d+$/.test(node.value)) to.doubt('arithmetic evaluates a variable');
      walkParts(node.parts ?? [], walk, depth + 1);
      return;
    case 'ArithmeticCommandExpansion':
      to.doubt('arithmetic evaluates what a command prints');
      if (node.script !== undefined) walkScript(node.script, to, depth + 1);
      return;
    default:
      to.doubt('arithmetic is not understood');
      return;
  }
}
