/** Elements of a list that are turned into text together. */
const ELEMENTS_TOGETHER = 128;

/**
 * The text of `JSON.stringify(value)` of an object without a `toJSON` of its own, piece by piece: a conversation is a
 * long list in an object, and its whole text would be held twice while it is made.
 */
export function* jsonPieces(value: object): Generator<string> {
  let piece = '{';
  for (const [name, item] of Object.entries(value) as [string, unknown][]) {
    const isList = Array.isArray(item) && item.length > ELEMENTS_TOGETHER;
    const text = isList ? '[' : (JSON.stringify(item) as string | undefined);
    if (text === undefined) continue;
    piece += `${piece === '{' ? '' : ','}${JSON.stringify(name)}:${text}`;
    if (!isList) continue;
    for (let from = 0; from < item.length; from += ELEMENTS_TOGETHER) {
      yield piece + JSON.stringify(item.slice(from, from + ELEMENTS_TOGETHER)).slice(1, -1);
      piece = ',';
    }
    piece = ']';
  }
  yield `${piece}}`;
}
