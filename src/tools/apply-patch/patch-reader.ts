import type { HunkLine } from './patch.ts';

/** What makes a patch unreadable; its message says why, and where it can, what to write instead. */
export class PatchFault extends Error {}

export interface PatchReader {
  peek(): string | undefined;
  next(): string;
  /** Number of the line that was read last, from 1. */
  line(): number;
}

export function readerOf(lines: readonly string[]): PatchReader {
  let at = 0;
  return {
    peek: () => lines[at],
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
