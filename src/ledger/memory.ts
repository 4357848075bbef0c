import { makeLedger } from './appender.ts';
import { memoryBlobs } from './blobs.ts';
import { codec } from './codec.ts';
import type { Ledger } from './contract.ts';
import { recentFacts } from './recent.ts';

export interface MemoryLedgerOptions {
  /** Unix time in milliseconds; default `Date.now`. */
  readonly now?: () => number;
}

/** A ledger that ends with the process. Facts take the same way through the codec as those of a file. */
export function memoryLedger(sessionId: string, options: MemoryLedgerOptions = {}): Ledger {
  return makeLedger({
    sessionId,
    folder: null,
    codec,
    recent: recentFacts(Number.POSITIVE_INFINITY),
    lastSeq: 0,
    blobs: memoryBlobs(),
    now: options.now ?? Date.now,
    sink: {
      write: () => undefined,
      flush: async () => undefined,
      older: () => [],
      find: () => [],
      close: async () => undefined,
    },
  });
}
