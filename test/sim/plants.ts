/** Bugs of one line each, to show that the simulation would find them. */
export interface Plant {
  readonly name: string;
  /** Path inside `src`, with the folder. */
  readonly file: string;
  /** The whole line, without its indentation; it must occur exactly once. */
  readonly line: string;
  readonly becomes: string;
}

export const plants: readonly Plant[] = [];
