import { setFlagsFromString } from 'node:v8';

let isSet = false;

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
 */
export function keepMemorySmall(): void {
  if (isSet) return;
  isSet = true;
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=80');
  setFlagsFromString('--no-maglev-destroy-on-background');
}
