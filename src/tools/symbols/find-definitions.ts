import type { Grammar } from './load-grammar.ts';

export interface Definition {
  readonly name: string;
  readonly kind: string;
  /** First line, from 1. */
  readonly line: number;
  readonly lastLine: number;
  /** How many definitions enclose it. */
  readonly depth: number;
  /** Other files can mean it. */
  readonly isShared: boolean;
}

/** What stands inside these is local to them. */
const closed: readonly string[] = ['function', 'method', 'macro', 'const', 'property'];
const nameLengthMax = 120;

interface Found {
  readonly name: string;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly lastLine: number;
  readonly isShared: boolean;
}

export interface Definitions {
  readonly definitions: readonly Definition[];
  /** The text does not keep to its language: what stands near the fault may be missing. */
  readonly isFaulty: boolean;
}

/** Some texts take a parser hours, and while it works nothing else does. */
const parseMsMax = 2000;

/**
 * The definitions of a text in their order, without those that are local to a function; null where it takes too long.
 * `family`: of its language.
 */
export function findDefinitions(grammar: Grammar, text: string, family: string): Definitions | null {
  const until = performance.now() + parseMsMax;
  const tree = grammar.parse(text, until);
  if (tree === null) return null;
  try {
    const matches = grammar.definitions(tree, until);
    if (matches === null) return null;
    const found: Found[] = [];
    const exportsByWord = family === 'javascript' ? exportWords(text) : null;
    for (const { captures } of matches) {
      const whole = captures.find(({ name }) => name !== 'name');
      const name = captures.find((capture) => capture.name === 'name');
      if (whole === undefined || name === undefined) continue;
      const { startIndex, endIndex, startPosition, endPosition } = whole.node;
      found.push({
        name: name.node.text.slice(0, nameLengthMax).replaceAll(/\s+/g, ' '),
        kind: whole.name,
        start: startIndex,
        end: endIndex,
        line: startPosition.row + 1,
        // What ends with its line end, such as a macro, does not reach into the next line.
        isShared:
          exportsByWord === null || exportsByWord.has(name.node.text) || whole.node.parent?.type === 'export_statement',
        lastLine: endPosition.column === 0 ? endPosition.row : endPosition.row + 1,
      });
    }
    return { definitions: nested(found), isFaulty: tree.rootNode.hasError };
  } finally {
    tree.delete();
  }
}

/** In a module, the names that `export { … }` gives out; null where a file is no module and all can be meant. */
function exportWords(text: string): ReadonlySet<string> | null {
  if (!/^(?:export|import)\b/m.test(text)) return null;
  const clauses = text.matchAll(/^export\s*(?:type\s*)?\{([^}]{0,4000})\}/gm);
  return new Set([...clauses].flatMap(([, clause = '']) => clause.match(/[\w$]+/g) ?? []));
}

function nested(found: readonly Found[]): readonly Definition[] {
  const sorted = found.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const definitions: Definition[] = [];
  let around: Found[] = [];
  for (const one of sorted) {
    around = around.filter(({ end }) => end > one.start);
    const twice = around.some(({ start, name }) => start === one.start && name === one.name);
    if (twice) continue;
    const isLocal = around.some(({ kind }) => closed.includes(kind));
    if (!isLocal) {
      const { name, kind, line, lastLine, isShared } = one;
      definitions.push({ name, kind, line, lastLine, depth: around.length, isShared });
    }
    around.push(one);
  }
  return definitions;
}
