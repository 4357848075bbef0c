/** How often each word of a text occurs that could be a name. Comments and texts count, too: they speak of names. */
export function countWords(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
