/**
 * Test counts from the output of a runner: node:test (spec and TAP), vitest, jest, pytest and unittest, also behind
 * `npm test`. Every summary in the output counts, so that several suites in one run add up. What is not a summary line
 * of a known runner is no count: a check without counts is no evidence.
 *
 * Programs that run the tests of several packages at once (pnpm -r, turbo, lerna, yarn, concurrently, docker compose) put
 * the name of the package before each line, and lines of several packages between each other: each is read by itself.
 */
import type { TestCounts } from '#kernel';
import { jestCounts, vitestCounts } from './javascript-counts.ts';
import { nodeTestCounts } from './node-test-counts.ts';
import { pytestCounts, unittestCounts } from './python-counts.ts';

const parsers = [nodeTestCounts, vitestCounts, jestCounts, pytestCounts, unittestCounts];

/** `output` without escape sequences. Null when no runner's summary is in it. */
export function parseCounts(output: string): TestCounts | null {
  const lines = output.split('\n').map((line) => line.trimEnd());
  const found = [lines, ...linesByPackage(lines)].flatMap((one) => parsers.flatMap((parse) => parse(one)));
  if (found.length === 0) return null;
  return found.reduce((sum, counts) => ({
    passed: sum.passed + counts.passed,
    failed: sum.failed + counts.failed,
    skipped: sum.skipped + counts.skipped,
    total: sum.total + counts.total,
  }));
}

/** `packages/a test: `, `a:test: `, `a: `, `[a]: `, `[0] `, `a-1  | `. */
const labelled = /^([@\w./:-]+(?: [\w:-]+)?:|\[[^\]]+\]:?|[\w.-]+ +\|)(?: (.*))?$/;
/** What turbo shows again without running it. */
const isReplayed = (lines: readonly string[]): boolean => lines.some((line) => line.startsWith('cache hit, '));

function linesByPackage(lines: readonly string[]): readonly (readonly string[])[] {
  const packages = new Map<string, string[]>();
  for (const line of lines) {
    const [, label, rest = ''] = labelled.exec(line) ?? [];
    if (label === undefined) continue;
    const known = packages.get(label);
    if (known === undefined) packages.set(label, [rest]);
    else known.push(rest);
  }
  return [...packages.values()].filter((one) => !isReplayed(one));
}
