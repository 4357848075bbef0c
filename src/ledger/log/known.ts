/**
 * Facts up to a mark, of which something is known already. The mark is believed only if the file has its hash there: then
 * every byte before it is as it was when the mark was made.
 */
import type { KnownUpTo, Mark } from '../contract.ts';
import { HEAD_BYTES } from './frame.ts';
import { codeOf, UNREAD } from './peek.ts';
import type { Batch } from './scan.ts';

export interface KnownFacts {
  readonly mark: Mark;
  /** Which facts of a batch are to be decoded; undefined: all of them. */
  among(batch: Batch, codes: readonly number[]): ((i: number) => boolean) | undefined;
}

export function knownFacts({ mark, types }: KnownUpTo): KnownFacts {
  const isShown = new Uint8Array(256);
  for (const type of types) isShown[codeOf(type)] = 1;
  isShown[UNREAD] = 1;
  return {
    mark,
    among(batch, codes) {
      if (batch.firstSeq + batch.frames.length - 1 > mark.seq) return undefined;
      return (i) => isShown[codes[i] as number] === 1 || !endsWithFields(batch.bytes, batch.frames[i] as number);
    },
  };
}

const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/** A fact of another version than the first has one more item behind its fields: it is looked at, whatever its type. */
function endsWithFields(bytes: Buffer, at: number): boolean {
  const end = at + HEAD_BYTES + bytes.readUInt32LE(at + 2);
  return bytes[end - 2] === CLOSE_BRACE && bytes[end - 1] === CLOSE_BRACKET;
}
