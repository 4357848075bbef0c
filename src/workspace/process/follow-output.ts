import { statSync } from 'node:fs';
import { readPiece } from './spool.ts';

const EVERY_MS = 120;
/** A flood is followed by its latest part only: live output is for looking at, the spool keeps all. */
const AT_ONCE_BYTES = 64 * 1024;

export interface Follower {
  /** Reports what is still unread up to the given offset and ends. */
  finish(outputBytes: number): void;
}

/** Reports new output a few times a second, in order; the end marker is never shown. */
export function followOutput(path: string, nonce: string, onOutput: ((text: string) => void) | undefined): Follower {
  if (onOutput === undefined) return { finish: () => undefined };
  const decoder = new TextDecoder();
  let offset = 0;
  const report = (limit: number) => {
    const size = Math.min(limit, sizeOf(path));
    offset = Math.max(offset, size - AT_ONCE_BYTES);
    const piece = readPiece(path, offset, size - offset);
    const marker = piece.indexOf(`\n${nonce} `, 'latin1');
    // A line end at the very end may be the first byte of the marker, so it waits for the next look.
    const isOpen = limit === Number.POSITIVE_INFINITY && piece.at(-1) === 10;
    const shown = piece.subarray(0, marker >= 0 ? marker : isOpen ? piece.length - 1 : piece.length);
    offset += shown.length;
    const text = decoder.decode(shown, { stream: true });
    if (text !== '') onOutput(text);
  };
  const timer = setInterval(() => report(Number.POSITIVE_INFINITY), EVERY_MS);
  timer.unref();
  return {
    finish(outputBytes) {
      clearInterval(timer);
      report(outputBytes);
    },
  };
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
