/** One figure of the bench: what is measured, against what, and how far apart the two may be. */
export interface Row {
  /** What the user types to run only this row. */
  readonly id: string;
  run(stage: Stage): Promise<readonly Reading[]>;
}

export interface Stage {
  /** Node that runs everything measured; also the baseline. */
  readonly node: string;
  /** The built entry, as an installation has it. */
  readonly entry: string;
  /** Root of this source tree, for the row that goes through `./belay`. */
  readonly root: string;
  /** A fresh folder for what the row makes; removed at the end. */
  readonly folder: string;
}

export interface Reading {
  readonly name: string;
  readonly unit: string;
  readonly belay: number;
  /** Null where the bound is a count or a size and not a ratio. */
  readonly baseline: number | null;
  readonly bound: number;
  /** More figures of the same run, told behind the line. */
  readonly note?: string;
}

/** What the bound limits: the ratio to the baseline, or the figure itself. */
export const judged = (reading: Reading): number =>
  reading.baseline === null ? reading.belay : reading.belay / reading.baseline;

export const isWithin = (reading: Reading): boolean => judged(reading) <= reading.bound;
