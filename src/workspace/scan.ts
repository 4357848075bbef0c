/** What a look at all files found. Part of the room's contract. */
export interface Scan {
  /** Hash of the whole sorted manifest. */
  readonly revision: string;
  /** Path → `mode hash` of every file, link and (empty) folder that counts. */
  readonly manifest: ReadonlyMap<string, string>;
}
