/** Walks the parts of a word: what it substitutes runs, and some expansions evaluate what variables hold. */
import type { ArithmeticExpression, HereDocBody, ParameterOperation, ParsedScript, Word, WordPart } from 'unbash';
import type { Collector, Flow } from './collector.ts';

export type WalkScript = (script: ParsedScript, to: Collector, depth: number, flow?: Flow) => void;

const depthMax = 40;

export function walkWord(
  word: Pick<Word, 'text' | 'parts'> | HereDocBody,
  to: Collector,
  depth: number,
  walkScript: WalkScript,
): void {
  walkParts(word.parts ?? [], to, depth, walkScript);
}

function walkParts(parts: readonly WordPart[], to: Collector, depth: number, walkScript: WalkScript): void {
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
      case 'SingleQuoted':
      case 'SimpleExpansion':
        break;
      case 'AnsiCQuoted':
      case 'LocaleString':
        // Where such a string ends is not the same in every shell.
        to.doubt('it uses quotes that not every shell reads alike');
        break;
      case 'DoubleQuoted':
      case 'Glob':
        walkParts(part.parts ?? [], to, depth + 1, walkScript);
        break;
      case 'BraceExpansion':
        to.doubt(`${part.text} becomes several words`);
        walkParts(part.parts ?? [], to, depth + 1, walkScript);
        break;
      case 'ExtendedGlob':
        to.doubt(`${part.text} is a pattern that not every shell reads alike`);
        walkParts(part.parts ?? [], to, depth + 1, walkScript);
        break;
      case 'CommandExpansion':
      case 'ProcessSubstitution':
        nested(part.script);
        break;
      case 'ArithmeticExpansion':
        walkArithmetic(part.expression, to, depth + 1, walkScript);
        break;
      case 'ParameterExpansion':
        if (part.prefix === '!') to.doubt(`${part.text} expands what a variable names`);
        if (part.index !== undefined) {
          if (!/^([@*]|\d+)$/.test(part.index.text)) to.doubt(`${part.text} evaluates a subscript`);
          walkWord(part.index, to, depth + 1, walkScript);
        }
        if (part.operation !== undefined) walkOperation(part.operation, to, depth + 1, walkScript);
        break;
      default:
        to.doubt('a word is not understood');
    }
  }
}

function walkOperation(operation: ParameterOperation, to: Collector, depth: number, walkScript: WalkScript): void {
  const word = (one: Word | undefined): void => {
    if (one !== undefined) walkWord(one, to, depth + 1, walkScript);
  };
  switch (operation.type) {
    case 'Default':
      if (operation.operator.endsWith('=')) to.doubt('an expansion sets a variable');
      word(operation.operand);
      return;
    case 'Remove':
    case 'CaseModification':
      word(operation.operand);
      return;
    case 'Replace':
      word(operation.pattern);
      word(operation.replacement);
      return;
    case 'Slice':
      to.doubt('an expansion evaluates arithmetic');
      word(operation.offset);
      word(operation.length);
      return;
    case 'Transform':
      to.doubt('an expansion evaluates what a variable holds');
      word(operation.operand);
      return;
    case 'Names':
      return;
    default:
      to.doubt('an expansion is not understood');
      return;
  }
}

/** Numbers are safe; a name in arithmetic is evaluated again, and what it holds may run a command. */
function walkArithmetic(
  node: ArithmeticExpression | undefined,
  to: Collector,
  depth: number,
  walkScript: WalkScript,
): void {
  if (depth > depthMax) {
    to.doubt('arithmetic is nested too deeply');
    return;
  }
  if (node === undefined) {
    to.doubt('arithmetic cannot be parsed');
    return;
  }
  const inner = (...parts: readonly ArithmeticExpression[]): void => {
    for (const part of parts) walkArithmetic(part, to, depth + 1, walkScript);
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
      walkParts(node.parts ?? [], to, depth + 1, walkScript);
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
