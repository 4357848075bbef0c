/**
 * The names that a file brings in from others, for languages in which that is written down: a name that is not among
 * them means something else there. Null where names come in otherwise, so that any may be meant.
 */
export function importedNames(grammar: string, text: string): ReadonlySet<string> | null {
  switch (grammar) {
    case 'typescript':
    case 'tsx':
    case 'javascript':
      return /\brequire\(|\*\s+as\s/.test(text)
        ? null
        : namesIn(text, /\b(?:import|export)\b([^'"`;=()]{0,4000}?)\bfrom\s*['"]/g);
    case 'python':
      return /^[ \t]*import\s|^[ \t]*from\s+\S+\s+import\s+\*/m.test(text)
        ? null
        : namesIn(text, /^[ \t]*from\s+\S+\s+import\s+(\([^)]{0,4000}\)|[^\n]{0,4000})/gm);
    default:
      return null;
  }
}

function namesIn(text: string, clauses: RegExp): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, clause = ''] of text.matchAll(clauses)) {
    for (const [name] of clause.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) names.add(name);
  }
  return names;
}
