import type { TestCounts } from '#kernel';
import { makeCounts, numbersByWord } from './counts.ts';

/**
 * `== 1 failed, 2 passed, 1 skipped, 1 xfailed in 0.12s ==`, bare under `-q`, or `no tests ran in 0.00s`. An expected
 * failure proves nothing that was asked for, so it counts as skipped; a test that passed unexpectedly has passed.
 */
export function pytestCounts(lines: readonly string[]): TestCounts[] {
  return lines.flatMap((line) => {
    const parts =
      /^(?:=+ )?((?:\d+ [a-z]+(?: passed| failed)?, )*(?:\d+ [a-z]+(?: passed| failed)?|no tests ran)) in [\d.]+s(?: \([\d:, a-z]+\))?(?: =+)?$/.exec(
        line,
      );
    if (parts === null || !/passed|failed|error|skipped|deselected|xfailed|xpassed|no tests ran/.test(line)) return [];
    const of = numbersByWord(parts[1] as string);
    const failed = of('failed') + of('error') + of('errors');
    return [makeCounts(of('passed') + of('xpassed'), failed, of('skipped') + of('xfailed'))];
  });
}

/** `Ran 4 tests in 0.001s`, then `OK`, `OK (skipped=1)`, `FAILED (failures=1, errors=1)` or `NO TESTS RAN`. */
export function unittestCounts(lines: readonly string[]): TestCounts[] {
  return lines.flatMap((line, i) => {
    const ran = /^Ran (\d+) tests? in [\d.]+s$/.exec(line);
    const end = lines.slice(i + 1, i + 4).find((next) => next.trim() !== '');
    const verdict = /^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/.exec(end ?? '');
    if (ran === null || verdict === null) return [];
    const notes = new Map<string, number>();
    for (const [, name, number] of (verdict[1] ?? '').matchAll(/([a-z ]+)=(\d+)/g)) {
      notes.set((name as string).trim(), Number(number));
    }
    const of = (name: string) => notes.get(name) ?? 0;
    const failed = of('failures') + of('errors') + of('unexpected successes');
    const skipped = of('skipped') + of('expected failures');
    // A failing subtest is one failure more, but no test more.
    return [makeCounts(Math.max(0, Number(ran[1]) - failed - skipped), failed, skipped)];
  });
}
