/** Lines as `cat -n` numbers them: the number right-aligned in six columns, a tab, the text. */
export const numberLines = (lines: readonly string[], first: number): string =>
  lines.map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join('\n');

/** The lines of a text, without their line ends; a line end at the very end starts no further line. */
export function splitLines(text: string): string[] {
  const lines = asLines(text)
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A text without any LF ends its lines with CR alone, as old systems did. */
export const endsWithCr = (text: string): boolean => text.includes('\r') && !text.includes('\n');

/** The same text with LF for such line ends; every character stays at its place. */
export const asLines = (text: string): string => (endsWithCr(text) ? text.replaceAll('\r', '\n') : text);

/** Cuts at the limit without leaving half of a surrogate pair. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const last = text.charCodeAt(limit - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit);
}
