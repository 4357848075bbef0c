/** A seeded generator (mulberry32): the same seed gives the same run, which is all a simulation asks of it. */
export interface Prng {
  /** A float in [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  below(below: number): number;
  /** Fills the bytes; fits `makeId`. */
  fill(bytes: Uint8Array): void;
}

export function seededPrng(seed: number): Prng {
  let a = seed >>> 0;
  const next = () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = a;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    below: (below) => Math.floor(next() * below),
    fill: (bytes) => {
      for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(next() * 256);
    },
  };
}
