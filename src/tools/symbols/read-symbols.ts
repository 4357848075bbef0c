import type { Workspace } from '#workspace';
import { countWords } from './count-words.ts';
import { findDefinitions } from './find-definitions.ts';
import { importedNames } from './imported-names.ts';
import { languageOf } from './languages.ts';
import { loadGrammar } from './load-grammar.ts';
import type { FileSymbols } from './rank.ts';

/** Bytes of a file that is parsed; a longer one is made by a program more often than by people. */
export const fileBytesMax = 512 * 1024;
/** Files whose symbols are kept. */
const keptMax = 5000;

export type SymbolsOf = (path: string) => Promise<FileSymbols | 'binary' | 'too-large' | 'too-slow' | 'unreadable'>;

/**
 * Reads the symbols of files of supported languages. What a content holds is kept by its hash, so a file is parsed
 * again only when it changed. Rejects where the parser cannot be loaded.
 */
export function symbolReader(workspace: Pick<Workspace, 'files'>): SymbolsOf {
  const kept = new Map<string, Omit<FileSymbols, 'path'> | 'too-slow'>();
  return async (path) => {
    const language = languageOf(path);
    const content = await workspace.files.read(path, { bytesMax: fileBytesMax });
    if (language === null || 'code' in content) return 'unreadable';
    if (content.truncated) return 'too-large';
    if (content.text === null) return 'binary';
    const key = `${language.grammar} ${content.hash}`;
    let found = kept.get(key);
    if (found === undefined) {
      const grammar = await loadGrammar(language);
      const family = familyOf(language.grammar);
      const parsed = findDefinitions(grammar, content.text, family);
      found =
        parsed === null
          ? 'too-slow'
          : {
              family,
              ...parsed,
              words: countWords(content.text),
              imported: importedNames(language.grammar, content.text),
            };
    } else kept.delete(key);
    kept.set(key, found);
    const oldest = kept.size > keptMax ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
    return found === 'too-slow' ? found : { path: content.path, ...found };
  };
}

const familyOf = (grammar: string): string =>
  ['typescript', 'tsx', 'javascript'].includes(grammar) ? 'javascript' : grammar;
