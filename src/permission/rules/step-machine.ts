/**
 * Follows all readings of a pattern through a text at once, so that the work is at most one look at each step for each
 * character, whatever the pattern.
 */

/** It either takes one character that `fits`, and the next step is the one behind it, or goes on at each of the `ways`. */
export interface Step {
  readonly fits?: (char: string) => boolean;
  readonly ways?: readonly number[];
}

/** A test whether the steps, from the first one on, take the whole text and then stand behind the last one. */
export function createStepMachine(steps: readonly Step[]): (text: string) => boolean {
  const end = steps.length;
  /** By step: those that take a character, or the end, and that it leads to before any character. */
  const reached = Array.from({ length: end + 1 }, (_one, step) => reachedFrom(step, steps));
  const seen = new Float64Array(end + 1);
  let round = 0;
  let at = new Int32Array(end + 1);
  let next = new Int32Array(end + 1);
  return (text) => {
    const first = reached[0] as readonly number[];
    at.set(first);
    let count = first.length;
    for (const char of text) {
      round++;
      let found = 0;
      for (let i = 0; i < count; i++) {
        const step = at[i] as number;
        if (steps[step]?.fits?.(char) !== true) continue;
        for (const then of reached[step + 1] as readonly number[]) {
          if (seen[then] === round) continue;
          seen[then] = round;
          next[found++] = then;
        }
      }
      [at, next] = [next, at];
      count = found;
    }
    return at.subarray(0, count).includes(end);
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
