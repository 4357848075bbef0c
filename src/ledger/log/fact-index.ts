/** Where the batches of a ledger lie and of what types their facts are: a byte for each fact, a few for each batch. */

export interface FactIndex {
  readonly lastSeq: number;
  /** The batch that follows the last one. A batch that is known already is passed over. */
  add(offset: number, firstSeq: number, codes: readonly number[]): void;
  /** Where the last batch ends. */
  endsAt(offset: number): void;
  /** Batches with facts from `fromSeq` to `toSeq` of types for which `isWanted` holds a 1, in order. */
  holding(isWanted: Uint8Array, fromSeq: number, toSeq: number): Iterable<BatchPlace>;
  code(seq: number): number;
}

export interface BatchPlace {
  /** Offset of its first byte in the file, and of the byte behind its last one. */
  readonly from: number;
  readonly to: number;
  readonly firstSeq: number;
}

const FIRST_BATCHES = 256;
const FIRST_FACTS = 1024;

export function createFactIndex(): FactIndex {
  let codes = new Uint8Array(FIRST_FACTS);
  let offsets = new Float64Array(FIRST_BATCHES + 1);
  let seqs = new Uint32Array(FIRST_BATCHES + 1);
  let batches = 0;
  let lastSeq = 0;

  const batchOf = (seq: number): number => {
    let low = 0;
    let high = batches - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((seqs[middle] as number) <= seq) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  return {
    get lastSeq() {
      return lastSeq;
    },
    add(offset, firstSeq, types) {
      if (firstSeq !== lastSeq + 1) return;
      if (batches + 1 >= offsets.length) {
        offsets = grown(offsets, new Float64Array(offsets.length * 2));
        seqs = grown(seqs, new Uint32Array(seqs.length * 2));
      }
      while (lastSeq + types.length > codes.length) codes = grown(codes, new Uint8Array(codes.length * 2));
      offsets[batches] = offset;
      seqs[batches] = firstSeq;
      batches++;
      codes.set(types, lastSeq);
      lastSeq += types.length;
    },
    endsAt(offset) {
      offsets[batches] = offset;
    },
    *holding(isWanted, fromSeq, toSeq) {
      const last = Math.min(toSeq, lastSeq);
      let seq = firstOf(codes, isWanted, Math.max(fromSeq, 1), last);
      while (seq <= last) {
        const batch = batchOf(seq);
        yield { from: offsets[batch] as number, to: offsets[batch + 1] as number, firstSeq: seqs[batch] as number };
        seq = batch + 1 < batches ? firstOf(codes, isWanted, seqs[batch + 1] as number, last) : last + 1;
      }
    },
    code: (seq) => codes[seq - 1] as number,
  };
}

/** Number of the first wanted fact from `fromSeq` to `last`; a larger one than `last` where there is none. */
function firstOf(codes: Uint8Array, isWanted: Uint8Array, fromSeq: number, last: number): number {
  let seq = fromSeq;
  while (seq <= last && isWanted[codes[seq - 1] as number] !== 1) seq++;
  return seq;
}

function grown<T extends Uint8Array | Uint32Array | Float64Array>(from: T, into: T): T {
  into.set(from);
  return into;
}
