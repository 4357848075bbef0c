import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** `it('…')`, `test.each(rows)('…')`, `test.prop([…])('…')`: the name at the root of the called expression. */
function rootName(expression: ts.Expression): string {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return rootName(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return rootName(expression.tag);
  return '';
}

function titlesIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ['it', 'test'].includes(rootName(node.expression))) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** The titles of all tests as they stand in the source, by test file relative to `root`. */
export function testTitles(root: string): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => path.posix.join('test', name.split(path.sep).join('/')))
    .sort();
  return new Map(files.map((file) => [file, titlesIn(path.join(root, file))]));
}
