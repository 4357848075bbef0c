/** A SHA-256 over the file up to the end of a batch. It grows with the file. */
import { createHash } from 'node:crypto';
import type { Mark } from '../contract.ts';

export interface WholeHash {
  /** The bytes that follow those before. */
  add(bytes: Buffer): void;
  /** Where it stands, behind the batch whose last fact is `seq`. */
  mark(seq: number): Mark;
}

export function createWholeHash(): WholeHash {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    add(more) {
      hash.update(more);
      bytes += more.length;
    },
    mark: (seq) => ({ seq, bytes, sha256: hash.copy().digest('hex') }),
  };
}
