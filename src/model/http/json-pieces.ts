/** Elements of a list that are written together, and letters that are handed on together, apart from larger elements. */
const ELEMENTS_TOGETHER = 32;
const PIECE_CHARS = 64 * 1024;

/**
 * The text of `JSON.stringify(value)` of an object without a `toJSON` of its own, piece by piece: a conversation is a
 * long list in an object, and its whole text would be held twice while it is made.
 */
export function* jsonPieces(value: object): Generator<string> {
  let piece = '';
  let before = '{';
  for (const [name, item] of Object.entries(value) as [string, unknown][]) {
    if (!Array.isArray(item)) {
      const text = JSON.stringify(item) as string | undefined;
      if (text === undefined) continue;
      piece += `${before}${JSON.stringify(name)}:${text}`;
    } else {
      piece += `${before}${JSON.stringify(name)}:[`;
      for (let from = 0; from < item.length; from += ELEMENTS_TOGETHER) {
        const elements = JSON.stringify(item.slice(from, from + ELEMENTS_TOGETHER)).slice(1, -1);
        piece += from === 0 ? elements : `,${elements}`;
        if (piece.length < PIECE_CHARS) continue;
        yield piece;
        piece = '';
      }
      piece += ']';
    }
    before = ',';
  }
  yield before === '{' ? '{}' : `${piece}}`;
}
