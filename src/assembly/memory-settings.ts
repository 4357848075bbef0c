import { setFlagsFromString } from 'node:v8';

/**
 * Has V8 keep no more memory than a conversation needs; a session lives for hours, and the operating system copies what
 * it knows of our memory whenever a program is started.
 *
 *  - The young generation stays at its present size: every round leaves short-lived garbage in proportion to the
 *    conversation; collected in a young generation that does not grow, it costs half a millisecond of CPU a round and
 *    saves tens of megabytes.
 *  - The old generation is collected when it has grown by four fifths. Left to itself, V8 decides by the speeds that it
 *    measured at first, and may let it grow to three times of what is needed.
 *  - What a compilation of the middle tier worked with is freed at once, not by a thread that comes to it later: until
 *    then others take new memory, which is not given back.
 *
 * Code that was compiled under other flags V8 does not take, that of Node's own modules included. What is loaded while
 * these are set is compiled anew; all of a start would take a quarter longer.
 */
const small = ['--semi-space-growth-factor=1', '--heap-growing-percent=80', '--no-maglev-destroy-on-background'];
const ofStart = ['--semi-space-growth-factor=2', '--heap-growing-percent=0', '--maglev-destroy-on-background'];

let isSmall = false;

function set(wanted: boolean): void {
  if (wanted === isSmall) return;
  isSmall = wanted;
  for (const flag of wanted ? small : ofStart) setFlagsFromString(flag);
}

/** From now on. */
export const keepMemorySmall = (): void => set(true);

/** Loads what every session needs, and Node loads when it is first asked for. */
export async function loadAhead(): Promise<void> {
  await Promise.all([import('node:fs/promises'), import('node:perf_hooks')]);
  void globalThis.TransformStream;
  void globalThis.navigator;
}

/** For work that V8 does only under the flags that its code was compiled under. */
export function underFlagsOfStart<T>(work: () => T): T {
  const before = isSmall;
  set(false);
  try {
    return work();
  } finally {
    set(before);
  }
}

/** For work that loads modules. */
export async function whileLoading(work: () => Promise<unknown>): Promise<void> {
  const before = isSmall;
  set(false);
  try {
    await work();
  } finally {
    set(before);
  }
}
