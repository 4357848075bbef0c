import { jsonPieces } from './json-pieces.ts';

export interface RequestBody {
  /** Of all pieces in UTF-8. */
  readonly bytes: number;
  /** The text, from its begin. */
  pieces(): Iterable<string>;
}

/** A text of more bytes is made a second time when it is sent, so that it is never held as a whole. */
const KEPT_BYTES = 1024 * 1024;

/** The body of a request from its text, or from what it is the JSON text of. */
export function requestBody(body: string | object): RequestBody {
  if (typeof body === 'string') return { bytes: Buffer.byteLength(body), pieces: () => [body] };
  const kept: string[] = [];
  let bytes = 0;
  for (const piece of jsonPieces(body)) {
    bytes += Buffer.byteLength(piece);
    if (bytes <= KEPT_BYTES) kept.push(piece);
  }
  return { bytes, pieces: () => (bytes <= KEPT_BYTES ? kept : jsonPieces(body)) };
}
