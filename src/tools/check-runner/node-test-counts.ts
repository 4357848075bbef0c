import type { TestCounts } from '#kernel';
import { makeCounts } from './counts.ts';

/**
 * Summaries of node:test: `ℹ pass 3` (spec) or `# pass 3` (TAP; tap and tape write the same). A file without a single
 * test is counted by the runner as one passed test that bears the file's name: those are taken out again.
 */
export function nodeTestCounts(lines: readonly string[]): TestCounts[] {
  const found: TestCounts[] = [];
  let numbers = new Map<string, number>();
  let files = 0;
  const close = () => {
    if (numbers.has('tests') && numbers.has('pass')) found.push(summary(numbers, files));
    if (numbers.size > 0) files = 0;
    numbers = new Map();
  };
  for (const line of lines) {
    if (isEmptyFile(line)) files++;
    const parts = /^(?:ℹ|#) (tests|suites|pass|fail|cancelled|skipped|todo)\s+(\d+)$/.exec(line);
    if (parts === null || numbers.has(parts[1] as string)) close();
    if (parts !== null) numbers.set(parts[1] as string, Number(parts[2]));
  }
  close();
  return found;
}

function summary(numbers: ReadonlyMap<string, number>, files: number): TestCounts {
  const of = (name: string) => numbers.get(name) ?? 0;
  return makeCounts(Math.max(0, of('pass') - files), of('fail') + of('cancelled'), of('skipped') + of('todo'));
}

const isEmptyFile = (line: string): boolean =>
  /^✔ \S.*\.[cm]?[jt]sx? \([\d.]+ms\)$/.test(line) || /^ok \d+ - \S.*\.[cm]?[jt]sx?$/.test(line);
