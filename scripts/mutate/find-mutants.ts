/** Small faults that a person could make, planted into a source text one at a time. */
import { stripTypeScriptTypes } from 'node:module';
import ts from 'typescript';

export interface Mutant {
  readonly file: string;
  readonly line: number;
  /** What stands in the file, and what stands there instead, with the white space folded. */
  readonly from: string;
  readonly to: string;
  /** Which one of equal changes of the file, from 0. */
  readonly nth: number;
  /** The whole text of the file with the fault, without types. */
  readonly text: string;
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly to: string;
}

const swapped = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.MinusToken, '+'],
]);
const swappedCalls = new Map([
  ['some', 'every'],
  ['every', 'some'],
]);

/** Every fault that leaves the text readable. `file` is only told. */
export function findMutants(file: string, source: string): readonly Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const counts = new Map<string, number>();
  const fold = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 160);
  return changesIn(tree).flatMap(({ start, end, to }) => {
    const from = fold(source.slice(start, end));
    const key = `${from}\0${to}`;
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    const text = strip(`${source.slice(0, start)}${to}${source.slice(end)}`);
    if (text === null) return [];
    return [{ file, line: tree.getLineAndCharacterOfPosition(start).line + 1, from, to: fold(to), nth, text }];
  });
}

/** Null where the text cannot be read any more: such a fault does not pass the compiler. */
function strip(text: string): string | null {
  try {
    return stripTypeScriptTypes(text);
  } catch {
    return null;
  }
}

function changesIn(tree: ts.SourceFile): readonly Change[] {
  const changes: Change[] = [];
  const put = (node: ts.Node, ...texts: readonly string[]): void => {
    for (const to of texts) changes.push({ start: node.getStart(tree), end: node.end, to });
  };
  const visit = (node: ts.Node): void => {
    if (isOutside(node)) return;
    if (ts.isIfStatement(node)) put(node.expression, 'true', 'false');
    else if (ts.isConditionalExpression(node)) put(node.condition, 'true', 'false');
    else if (ts.isWhileStatement(node)) put(node.expression, 'false');
    else if (ts.isForStatement(node) && node.condition !== undefined) put(node.condition, 'false');
    else if (ts.isBinaryExpression(node)) {
      const to = swapped.get(node.operatorToken.kind);
      // Mixed with ?? the swapped operators would need brackets.
      if (to !== undefined) put(node.operatorToken, to);
    } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
      put(node, node.operand.getText(tree));
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) put(node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) put(node, 'true');
    else if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      if (node.text !== '') put(node, "''");
    } else if (ts.isTemplateExpression(node)) put(node, "''");
    else if (ts.isArrayLiteralExpression(node) && node.elements.length > 0) put(node, '[]');
    else if (ts.isObjectLiteralExpression(node) && node.properties.length > 0) put(node, '({})');
    else if (ts.isRegularExpressionLiteral(node)) put(node, '/(?!)/');
    else if (ts.isBlock(node) && node.statements.length > 0 && ts.isFunctionLike(node.parent)) put(node, '{}');
    else if (ts.isExpressionStatement(node) || ts.isContinueStatement(node)) put(node, ';');
    else if (ts.isPropertyAccessExpression(node) && ts.isCallExpression(node.parent)) {
      const to = swappedCalls.get(node.name.text);
      if (to !== undefined) put(node.name, to);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return changes;
}

/** Types and names of modules do nothing when the program runs. */
const isOutside = (node: ts.Node): boolean =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node);
