/**
 * Follows all readings of a pattern through a text at once, so that the work is at most one look at each step for each
 * character, whatever the pattern. Where they stand together is remembered, and so is where a character led from there:
 * of many texts that begin alike nearly all is known before.
 */

/** It either takes one character that `fits`, and the next step is the one behind it, or goes on at each of the `ways`. */
export interface Step {
  readonly fits?: (char: string) => boolean;
  readonly ways?: readonly number[];
}

/** All steps that the readings stand at. */
interface Place {
  readonly steps: readonly number[];
  /** By character, below `commonMax`. */
  readonly after: (Place | undefined)[];
}

/** Places that are remembered, and the steps of one; a pattern may have many more. */
const placesMax = 200;
const stepsMax = 64;
/** Other characters are many, and seldom met. */
const commonMax = 128;

/** A test whether the steps, from the first one on, take the whole text and then stand behind the last one. */
export function createStepMachine(steps: readonly Step[]): (text: string) => boolean {
  const end = steps.length;
  /** By step: those that take a character, or the end, and that it leads to before any character. */
  const reached = Array.from({ length: end + 1 }, (_one, step) => reachedFrom(step, steps));
  const seen = new Float64Array(end + 1);
  let round = 0;
  const places = new Map<string, Place>();
  const placeAt = (at: readonly number[]): Place => {
    const key = at.join();
    const known = places.get(key);
    if (known !== undefined) return known;
    if (places.size >= placesMax) places.clear();
    const place = { steps: at, after: [] };
    places.set(key, place);
    return place;
  };
  const placeAfter = (place: Place, code: number): Place => {
    const char = String.fromCodePoint(code);
    round++;
    const next: number[] = [];
    for (const step of place.steps) {
      if (steps[step]?.fits?.(char) !== true) continue;
      for (const then of reached[step + 1] as readonly number[]) {
        if (seen[then] === round) continue;
        seen[then] = round;
        next.push(then);
      }
    }
    if (next.length > stepsMax || code >= commonMax) return { steps: next, after: [] };
    const then = placeAt(next);
    place.after[code] = then;
    return then;
  };
  return (text) => {
    let place = placeAt(reached[0] as readonly number[]);
    for (let i = 0; i < text.length; i++) {
      const code = text.codePointAt(i) as number;
      if (code > 0xffff) i++;
      place = place.after[code] ?? placeAfter(place, code);
    }
    return place.steps.includes(end);
  };
}

function reachedFrom(first: number, steps: readonly Step[]): readonly number[] {
  const met = new Set<number>();
  const open = [first];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (met.has(at)) continue;
    met.add(at);
    open.push(...(steps[at]?.ways ?? []));
  }
  return [...met].filter((at) => steps[at]?.ways === undefined);
}
