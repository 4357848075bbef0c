import type { HunkLine } from './patch.ts';

/** What makes a patch unreadable; its message says why, and where it can, what to write instead. */
export class PatchFault extends Error {}

export interface PatchReader {
  /** The line that comes next, or one further on; undefined behind the last. */
  peek(ahead?: number): string | undefined;
  next(): string;
  /** Number of the line that was read last, from 1. */
  line(): number;
}

export function readerOf(lines: readonly string[]): PatchReader {
  let at = 0;
  return {
    peek: (ahead = 0) => lines[at + ahead],
    next: () => lines[at++] ?? '',
    line: () => Math.max(1, Math.min(at, lines.length)),
  };
}

/** An empty line stands for an empty line that stays: editors and models cut off its blank. */
export function hunkLine(line: string): HunkLine {
  if (line === '') return { sign: ' ', text: '' };
  const sign = line[0];
  if (sign !== ' ' && sign !== '-' && sign !== '+') throw new PatchFault('a line begins with a space, - or +');
  return { sign, text: line.slice(1) };
}

/** Empty lines at the end of a part, which a writer may have put there only for the eye. */
export function blanksAtEnd(lines: readonly string[]): number {
  const last = lines.findLastIndex((line) => line !== '');
  return lines.length - 1 - last;
}
