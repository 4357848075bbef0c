import type { Writable } from 'node:stream';

/**
 * Writes a text that was cut into pieces, at least one, and ends the stream. They are asked for as fast as the other side
 * takes them, so that a conversation of many megabytes is never turned into bytes as a whole.
 */
export function sendInPieces(to: Writable, pieces: Iterable<string>): void {
  const waiting = pieces[Symbol.iterator]();
  let { value: piece } = waiting.next();
  const more = (): void => {
    for (;;) {
      const next = waiting.next();
      if (next.done === true) {
        to.end(piece);
        return;
      }
      const isTaken = to.write(piece);
      piece = next.value;
      if (!isTaken) {
        to.once('drain', more);
        return;
      }
    }
  };
  more();
}
