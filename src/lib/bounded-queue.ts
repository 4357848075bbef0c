/**
 * A queue between one producer and one consumer. It holds at most `limit` items: a live subscriber that does not keep
 * up loses the oldest ones and is told how many, because live deltas are not facts and must never hold up the run.
 */
export interface BoundedQueue<T> {
  push(item: T): void;
  /** No more items; the consumer ends after the ones already queued. */
  end(): void;
  /** How many items were dropped so far. */
  readonly dropped: number;
  [Symbol.asyncIterator](): AsyncIterator<T>;
}

export function boundedQueue<T>(limit: number): BoundedQueue<T> {
  const items: T[] = [];
  let ended = false;
  let dropped = 0;
  let wake: (() => void) | null = null;
  const signal = () => {
    wake?.();
    wake = null;
  };
  return {
    push(item) {
      if (ended) return;
      items.push(item);
      if (items.length > limit) {
        items.shift();
        dropped++;
      }
      signal();
    },
    end() {
      ended = true;
      signal();
    },
    get dropped() {
      return dropped;
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (items.length > 0) yield items.shift() as T;
        if (ended) return;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
