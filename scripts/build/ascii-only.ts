/**
 * V8 keeps a source of which one character lies beyond Latin-1 with two bytes for every character: a megabyte more for
 * a few arrows and dots. Such characters are written as escapes, which mean the same in texts and patterns.
 */
export const asciiOnly = () => ({
  name: 'ascii-only',
  renderChunk: (code: string) => code.replace(/[^\0-\x7f]/g, escaped),
});

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
