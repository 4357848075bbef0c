/**
 * Test counts from the output of a runner: node:test (spec and TAP), vitest, jest, pytest and unittest, also behind
 * `npm test`. Every summary in the output counts, so that several suites in one run add up. What is not a summary line
 * of a known runner is no count: a check without counts is no evidence.
 */
import type { TestCounts } from '#kernel';
import { jestCounts, vitestCounts } from './javascript-counts.ts';
import { nodeTestCounts } from './node-test-counts.ts';
import { pytestCounts, unittestCounts } from './python-counts.ts';

const parsers = [nodeTestCounts, vitestCounts, jestCounts, pytestCounts, unittestCounts];

/** `output` without escape sequences. Null when no runner's summary is in it. */
export function parseCounts(output: string): TestCounts | null {
  const lines = output.split('\n').map((line) => line.trimEnd());
  const found = parsers.flatMap((parse) => parse(lines));
  if (found.length === 0) return null;
  return found.reduce((sum, counts) => ({
    passed: sum.passed + counts.passed,
    failed: sum.failed + counts.failed,
    skipped: sum.skipped + counts.skipped,
    total: sum.total + counts.total,
  }));
}
