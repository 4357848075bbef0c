import type { TestCounts } from '#kernel';
import { makeCounts, numbersByWord } from './counts.ts';

/** `      Tests  1 failed | 2 passed | 1 skipped | 1 todo (5)`, or `Tests  no tests`. */
export function vitestCounts(lines: readonly string[]): TestCounts[] {
  return lines.flatMap((line) => {
    const parts = /^\s*Tests {2,}(no tests|\d+ [a-z]+(?: \| \d+ [a-z]+)* \(\d+\))$/.exec(line);
    return parts === null ? [] : [fromWords(parts[1] as string)];
  });
}

/** `Tests:       1 failed, 1 skipped, 1 todo, 2 passed, 5 total`. */
export function jestCounts(lines: readonly string[]): TestCounts[] {
  return lines.flatMap((line) => {
    const parts = /^Tests:\s+((?:\d+ [a-z]+, )*\d+ total)$/.exec(line);
    return parts === null ? [] : [fromWords(parts[1] as string)];
  });
}

function fromWords(text: string): TestCounts {
  const of = numbersByWord(text);
  return makeCounts(of('passed'), of('failed'), of('skipped') + of('todo'));
}
