import type { Writable } from 'node:stream';

const PIECE_CHARS = 64 * 1024;

/**
 * Writes a text and ends the stream. A conversation of many megabytes is turned into bytes piece by piece, as fast as the
 * other side takes them, so that it is never held a second time.
 */
export function sendInPieces(to: Writable, text: string): void {
  let at = 0;
  const more = (): void => {
    for (;;) {
      const end = pieceEnd(text, at);
      const piece = text.slice(at, end);
      at = end;
      if (at >= text.length) {
        to.end(piece);
        return;
      }
      if (!to.write(piece)) {
        to.once('drain', more);
        return;
      }
    }
  };
  more();
}

/** A pair of surrogates is one character: cut apart, each half would become a mark of replacement. */
function pieceEnd(text: string, from: number): number {
  const end = from + PIECE_CHARS;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
}
