/**
 * Keys that stand twice in one object of a settings file. Readers of JSON take the last and say nothing, so a list of
 * rules that somebody wrote would be gone.
 */
const lists: ReadonlySet<string> = new Set(['allow', 'ask', 'deny', 'permissions', 'projects', 'sandbox']);

/** The names of those that hold rules or lead to them. `text` is JSON. */
export function repeatedKeys(text: string): readonly string[] {
  const repeated = new Set<string>();
  const open: (Set<string> | null)[] = [];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/gs)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (/^\s*:/.test(text.slice(index + token.length, index + token.length + keyGapMax))) {
      const name = String(JSON.parse(token));
      const seen = open.at(-1);
      if (lists.has(name) && seen?.has(name) === true) repeated.add(name);
      seen?.add(name);
    }
  }
  return [...repeated];
}

/** Blanks between a key and its colon. */
const keyGapMax = 100;
