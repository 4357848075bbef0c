/** What a shell text would take away, as far as its words tell: for the question, and for what is kept before it runs. */
import type { Loss } from '../contract.ts';
import type { Analysis } from '../shell/analysis.ts';
import { written } from './operands.ts';
import { type Taking, takingsOf } from './takings.ts';

const lossesMax = 50;

/** Empty where nothing is known to be lost. What only moves, is edited or may change is not lost for certain. */
export const lossesOf = (analysis: Analysis): readonly Loss[] => certain(takingsOf(analysis)).map(lossOf);

export const certain = (takings: readonly Taking[]): readonly Taking[] =>
  takings.filter(({ how }) => !/^(edits|moves|may)$/.test(how)).slice(0, lossesMax);

export const lossOf = ({ what, why, takes, words, beyond }: Taking): Loss => ({
  what,
  why,
  takes,
  paths: words?.map(written) ?? null,
  beyond,
});
