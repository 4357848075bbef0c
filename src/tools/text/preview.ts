/** How far a cut is moved to stand at the start of a line. */
const slack = 120;

/**
 * A text within `limit` characters: its first third and its last two thirds, where the end of what went wrong usually
 * stands, with a line between them that says how much is missing. A text that fits is given back as it is. `more` was
 * left out of its middle before.
 */
export function preview(text: string, limit: number, more = 0): { readonly text: string; readonly omitted: number } {
  if (text.length <= limit) return { text, omitted: 0 };
  const headEnd = atLineEnd(text, Math.floor(limit / 3));
  const tailStart = atLineStart(text, text.length - Math.floor((limit * 2) / 3));
  const omitted = tailStart - headEnd + more;
  const note = `[… ${omitted} characters left out …]`;
  return { text: `${text.slice(0, headEnd)}\n${note}\n${text.slice(tailStart)}`, omitted };
}

/** The last `limit` characters, from the start of a line if one is near. */
export function tail(text: string, limit: number): string {
  return text.length <= limit ? text : `…\n${text.slice(atLineStart(text, text.length - limit))}`;
}

function atLineEnd(text: string, offset: number): number {
  const end = text.lastIndexOf('\n', offset);
  if (end > 0 && offset - end <= slack) return end;
  return splitsPair(text, offset) ? offset - 1 : offset;
}

function atLineStart(text: string, offset: number): number {
  const end = text.indexOf('\n', offset - 1);
  if (end !== -1 && end + 1 - offset <= slack && end + 1 < text.length) return end + 1;
  return splitsPair(text, offset) ? offset + 1 : offset;
}

/** Whether a cut at the offset would fall between the halves of a surrogate pair. */
function splitsPair(text: string, offset: number): boolean {
  const before = text.charCodeAt(offset - 1);
  return before >= 0xd800 && before <= 0xdbff;
}
