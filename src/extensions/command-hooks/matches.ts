/** Whether a matcher means a tool. Plain names, alone or between bars, are exact; else the whole name must fit. */
export function matches(matcher: string | null, tool: string): boolean {
  if (matcher === null) return true;
  if (/^[\w| ]+$/.test(matcher)) return matcher.split('|').some((name) => name.trim() === tool);
  return new RegExp(`^(?:${matcher})$`).test(tool);
}
