/** Where a crashing agent is to die. The agent reads it from its environment; the product knows nothing of it. */
export const CUT_VARIABLE = 'BELAY_TEST_CUT';
/** File that the agent fills with how often it passed each kind of point; written at an orderly end only. */
export const COUNTS_VARIABLE = 'BELAY_TEST_COUNTS';

/**
 * `append` after the nth batch was written · `flush` before the nth flush · `flushed` after it · `disk` before the nth
 * change of any file by the agent (0: once its session was made, before anything is recorded) · `spawned` after the nth process was started · `claimed` once the nth command holds
 * its claim · `running` once the nth command has written the word `started` · `receipt` before the nth end of a command is recorded ·
 * `shell` kills the outer shell of the nth command when it runs, and then the agent.
 */
export const cutKinds = [
  'append',
  'flush',
  'flushed',
  'disk',
  'spawned',
  'claimed',
  'running',
  'receipt',
  'shell',
] as const;
export type CutKind = (typeof cutKinds)[number];
export interface Cut {
  readonly at: CutKind;
  readonly n: number;
}
export type Counts = { readonly [kind in CutKind]: number };

/** The disk of the data folder is filled to the last byte right before the nth fact of this type is written. */
export const FILL_VARIABLE = 'BELAY_TEST_FILL';
export interface Fill {
  readonly before: string;
  readonly n: number;
}
