/** The outcome of an action that ran checks: its text, its status, and the facts that go with it. */
import { type BodyOf, type Check, type Failure, makeFailure, type OutcomeStatus, type TestCounts } from '#kernel';
import type { ProcessResult } from '#workspace';
import type { ToolOutcome } from '../contract.ts';
import { afterwards, endOf, provenanceOf } from '../process/attempt-process.ts';
import { sandboxLines } from '../process/sandbox-lines.ts';
import type { Judgement } from './judge-check.ts';
import { checkOutput, countsLine } from './report.ts';

export interface ReportedRun {
  readonly check: Check;
  readonly result: ProcessResult;
  readonly output: string;
  readonly counts: TestCounts | null;
  readonly judgement: Judgement;
  readonly notes: readonly string[];
  readonly evidence: BodyOf<'evidence.recorded'> | null;
}

/** `left` are checks that did not run; `problem` says why not, where it was not the end of the check before. */
export function checkOutcome(
  runs: readonly ReportedRun[],
  timeoutMs: number,
  left: readonly Check[],
  problem: Failure | null,
): ToolOutcome {
  const parts = runs.map((run) => section(run, timeoutMs));
  if (problem !== null) parts.push(`${problem.message} ${problem.suggestedAction}`);
  if (left.length > 0) parts.push(`not run: ${left.map((check) => check.command).join('; ')}`);
  const facts = runs.flatMap((run) => (run.evidence === null ? [] : [run.evidence]));
  const cut = runs.some((run) => checkOutput(run.output, run.judgement.passed).omitted > 0);
  const exitCode = exitCodeOf(runs);
  const last = runs.at(-1)?.result;
  return {
    ...verdictOf(runs, timeoutMs, problem),
    output: parts.join('\n\n'),
    ...(facts.length === 0 ? {} : { facts }),
    ...(exitCode === null ? {} : { exitCode }),
    ...(last === undefined ? {} : { provenance: provenanceOf(last), ...afterwards(last) }),
    ...(cut ? { full: Buffer.concat(runs.map((run) => run.result.output)) } : {}),
  };
}

function section(run: ReportedRun, timeoutMs: number): string {
  const { check, judgement, counts, evidence } = run;
  const { text } = checkOutput(run.output, judgement.passed);
  const lines = [`check: ${check.command}`];
  if (text !== '') lines.push(text);
  if (check.counts || counts !== null) lines.push(countsLine(counts));
  lines.push(
    endOf(run.result, timeoutMs).line,
    ...sandboxLines(run.result, run.output),
    ...run.notes.map((note) => `note: ${note}`),
  );
  if (judgement.passed && evidence !== null) lines.push(`evidence: passed at tree ${evidence.after.slice(0, 12)}`);
  else lines.push(`evidence: none (${judgement.reason ?? 'see the notes'})`);
  return lines.join('\n');
}

/** The first exit code that is not 0, else 0; null while a check has none. */
function exitCodeOf(runs: readonly ReportedRun[]): number | null {
  const codes = runs.map((run) => run.result.exitCode);
  return codes.find((code) => code !== null && code !== 0) ?? (codes.length > 0 && !codes.includes(null) ? 0 : null);
}

/**
 * A check that ran and failed is a successful run with an exit code; one that exits 0 without being a success is a
 * failure, so that nobody takes its exit code for a result. How a check ended is never a question for a person: it
 * may be run again.
 */
function verdictOf(
  runs: readonly ReportedRun[],
  timeoutMs: number,
  problem: Failure | null,
): { readonly status: OutcomeStatus; readonly failure?: Failure } {
  const last = runs.at(-1);
  if (last !== undefined && last.result.state !== 'exited') {
    const end = endOf(last.result, timeoutMs);
    if (end.status !== 'unknown')
      return { status: end.status, ...(end.failure === undefined ? {} : { failure: end.failure }) };
    return incomplete('It is not known how the check ended.');
  }
  if (problem !== null) return { status: 'failed', failure: problem };
  if (runs.some(({ result }) => !result.consistent))
    return incomplete('What the check left of its end does not agree.');
  const hollow = runs.find((run) => run.result.exitCode === 0 && !run.judgement.passed);
  if (hollow === undefined) return { status: 'succeeded' };
  const reason = hollow.judgement.reason ?? '';
  const failure = makeFailure('tool', `Check not passed: ${reason}.`, 'Make the check run real tests.', {
    signature: `tool: check hollow ${reason.replaceAll(/\d+/g, '<n>')}`.slice(0, 120),
  });
  return { status: 'failed', failure };
}

/** Nothing is shown either way, and a check may be run again. */
const incomplete = (message: string): { readonly status: OutcomeStatus; readonly failure: Failure } => ({
  status: 'failed',
  failure: makeFailure('incomplete', message, 'Call Test again.', { blame: 'environment' }),
});
