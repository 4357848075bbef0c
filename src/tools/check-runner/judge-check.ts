import type { Check, TestCounts } from '#kernel';
import type { ProcessResult } from '#workspace';
import { failedStages } from '../process/attempt-process.ts';

export interface Judgement {
  readonly passed: boolean;
  /** Why it did not pass; null when it did. */
  readonly reason: string | null;
}

const no = (reason: string): Judgement => ({ passed: false, reason });

/**
 * Whether a run of a check is a success: exit code 0, seen whole, at least one test really executed, none failed. A
 * check that declares no counts is judged by its exit code alone.
 */
export function judgeCheck(check: Check, result: ProcessResult, counts: TestCounts | null): Judgement {
  if (result.state !== 'exited' || result.exitCode === null) return no('it did not run to its end');
  if (!result.consistent) return no('its status, end marker and receipt do not agree');
  if (result.exitCode !== 0) {
    const failing = counts !== null && counts.failed > 0 ? `, ${counts.failed} failed` : '';
    return no(`exit code ${result.exitCode}${failing}`);
  }
  const stages = failedStages(result.stages);
  if (stages !== null) return no(`an earlier stage of its pipe failed: ${stages}`);
  if (!check.counts) return { passed: true, reason: null };
  if (result.cut) return no('its output was cut, so its counts are not known');
  if (counts === null) return no('its output holds no test counts, so nothing shows that a test ran');
  if (counts.failed > 0) return no(`${counts.failed} failed, although the exit code is 0`);
  if (counts.passed === 0) return no(counts.skipped > 0 ? 'all tests were skipped' : 'no test was executed');
  return { passed: true, reason: null };
}
