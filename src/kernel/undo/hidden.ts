/** Which facts count no more, for the files or for the conversation. */
import type { Undo } from '../state.ts';

/** Numbers of facts, both ends included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

export function hiddenRanges(undo: Undo, what: 'files' | 'chat'): readonly Range[] {
  const touches = ({ scope }: { readonly scope: string }) => scope === what || scope === 'both';
  return [
    // The end of an undo of the conversation is told to the model: it says which files were left alone.
    ...undo.done
      .filter(touches)
      .map(({ toSeq, doneSeq }) => ({ from: toSeq + 1, to: what === 'chat' ? doneSeq - 1 : doneSeq })),
    ...undo.reversed.filter(touches),
  ];
}

export const isHidden = (ranges: readonly Range[], seq: number): boolean =>
  ranges.some(({ from, to }) => seq >= from && seq <= to);
