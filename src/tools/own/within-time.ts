/**
 * Runs a work of an embedding program within a limit. At the limit, and when `outer` aborts, its signal aborts; at the
 * limit it is waited for no longer, and whether it had its effect is then not known. A result that is there counts, also
 * one of a work that never gave the thread back in between.
 */
export async function withinTime<T>(
  work: (signal: AbortSignal) => Promise<T> | T,
  timeoutMs: number,
  outer: AbortSignal,
): Promise<T> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      stop.abort();
      reject(new Error(`it took longer than ${timeoutMs / 1000} s`));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(AbortSignal.any([outer, stop.signal])), limit]);
  } finally {
    clearTimeout(timer);
  }
}
