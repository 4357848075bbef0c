/**
 * What V8 is told about memory. A session lives for hours beside the programs that it starts, and the operating system
 * copies what it knows of our memory whenever one is started.
 */
import { setFlagsFromString } from 'node:v8';

const told = new Set<string>();

function tell(flag: string): void {
  if (!told.has(flag)) setFlagsFromString(flag);
  told.add(flag);
}

/**
 * The young generation stays at its present size: every round leaves short-lived garbage in proportion to the
 * conversation; collected in a young generation that does not grow, it costs half a millisecond of CPU a round and saves
 * tens of megabytes. And what a compilation of the middle tier worked with is freed at once, not by a thread that comes
 * to it later: until then others take new memory, which is not given back.
 */
export function keepMemorySmall(): void {
  tell('--semi-space-growth-factor=1');
  tell('--no-maglev-destroy-on-background');
}

/**
 * The old generation is collected when it has grown by four fifths. Left to itself, V8 decides by the speeds that it
 * measured at first, and may let it grow to three times of what is needed.
 */
export function keepGarbageSmall(): void {
  tell('--heap-growing-percent=80');
}
