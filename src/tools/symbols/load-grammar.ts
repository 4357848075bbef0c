/** The parser and its grammars, loaded when first needed: most sessions never ask for an outline. */
import { fileURLToPath } from 'node:url';
import type { Parser, Query, Tree } from '@vscode/tree-sitter-wasm';
import { definitionQuery, type Language } from './languages.ts';

export interface Grammar {
  /** The caller deletes the tree; null where the text could not be parsed. */
  parse(text: string): Tree | null;
  readonly definitions: Query;
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
  return {
    parse(text) {
      parser ??= new ParserOf();
      parser.setLanguage(loaded);
      return parser.parse(text);
    },
    definitions: new QueryOf(loaded, definitionQuery(language)),
  };
}

async function start(): Promise<Package> {
  // The package is a CommonJS module: what it exports is its default.
  const { default: loaded } = await import('@vscode/tree-sitter-wasm');
  await loaded.Parser.init();
  return loaded;
}
