/** The parser and its grammars, loaded when first needed: most sessions never ask for an outline. */
import { fileURLToPath } from 'node:url';
import type { Parser, Query, QueryMatch, Tree } from '@vscode/tree-sitter-wasm';
import { definitionQuery, type Language } from './languages.ts';

export interface Grammar {
  /** The caller deletes the tree; null where the text was not parsed by `until`, a time of `performance.now()`. */
  parse(text: string, until: number): Tree | null;
  /** Null where they were not found by `until`. */
  definitions(tree: Tree, until: number): readonly QueryMatch[] | null;
}

type Package = typeof import('@vscode/tree-sitter-wasm');

let loading: Promise<Package> | null = null;
const grammars = new Map<string, Promise<Grammar>>();
let parser: Parser | null = null;

/** Rejects where the package or the grammar cannot be loaded. */
export function loadGrammar(language: Language): Promise<Grammar> {
  let grammar = grammars.get(language.grammar);
  if (grammar === undefined) {
    grammar = load(language);
    grammars.set(language.grammar, grammar);
  }
  return grammar;
}

async function load(language: Language): Promise<Grammar> {
  loading ??= start();
  const { Language: Loader, Parser: ParserOf, Query: QueryOf } = await loading;
  // The package is found where it is installed, from the sources as from the bundle.
  const file = fileURLToPath(import.meta.resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${language.grammar}.wasm`));
  const loaded = await Loader.load(file);
  const query: Query = new QueryOf(loaded, definitionQuery(language));
  return {
    parse(text, until) {
      parser ??= new ParserOf();
      parser.setLanguage(loaded);
      const tree = parser.parse(text, null, { progressCallback: () => performance.now() > until });
      // What was left off half-way would otherwise be gone on with by the next text.
      if (tree === null) parser.reset();
      return tree;
    },
    definitions(tree, until) {
      let isCut = false;
      const progressCallback = () => {
        isCut ||= performance.now() > until;
        return isCut;
      };
      const matches = query.matches(tree.rootNode, { progressCallback });
      return isCut ? null : matches;
    },
  };
}

async function start(): Promise<Package> {
  // The package is a CommonJS module: what it exports is its default.
  const { default: loaded } = await import('@vscode/tree-sitter-wasm');
  await loaded.Parser.init();
  return loaded;
}
