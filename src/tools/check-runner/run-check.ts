/**
 * Runs one declared check and says whether it is evidence.
 *
 * 1. The workspace is scanned before and after. Paths that the check creates are its products.
 * 2. A check that would pass but changed other paths is run again at once; passing evidence needs a run that changes
 *    nothing but products.
 * 3. An untracked path that both runs changed becomes a product and is named; a tracked one makes the check
 *    self-modifying: no evidence.
 */
import type { BodyOf, Check, TestCounts } from '#kernel';
import type { PreparedProcess, ProcessResult, Scan, Workspace } from '#workspace';
import { cleanOutput } from '../text/clean-output.ts';
import type { ReportedRun } from './check-outcome.ts';
import { type Judgement, judgeCheck } from './judge-check.ts';
import { parseCounts } from './parse-counts.ts';
import { recurringProducts, type Traces, tracesOf } from './products.ts';

export interface CheckRun extends ReportedRun {
  /** The workspace as the run left it. */
  readonly after: Scan;
  /** Products that were not known before. */
  readonly products: readonly string[];
}

export interface CheckStart {
  readonly workspace: Workspace;
  readonly check: Check;
  /** False: nothing that it shows is recorded. */
  readonly declared: boolean;
  readonly actionId: string;
  /** Products known so far. */
  readonly known: readonly string[];
  /** The workspace right before the first run. */
  readonly before: Scan;
  readonly signal: AbortSignal;
  readonly first: PreparedProcess;
  /** Makes the second run ready; null when that is not possible. */
  again(): Promise<PreparedProcess | null>;
}

interface Pass {
  readonly before: Scan;
  readonly after: Scan;
  readonly result: ProcessResult;
  readonly output: string;
  readonly counts: TestCounts | null;
  readonly judgement: Judgement;
  readonly traces: Traces;
}

export async function runCheck(start: CheckStart): Promise<CheckRun> {
  const { workspace, check, actionId } = start;
  const known = new Set(start.known);
  const products: string[] = [];
  const learn = (paths: readonly string[]) => {
    for (const path of paths) {
      known.add(path);
      products.push(path);
    }
  };
  const first = await onePass(start, start.before, start.first, known);
  learn(first.traces.products);
  let last = first;
  const notes: string[] = [];
  if (start.declared && first.judgement.passed && first.traces.others.length > 0) {
    const process = await start.again();
    if (process !== null) {
      notes.push(`run twice, because the first run changed ${named(first.traces.others)}`);
      last = await onePass(start, first.after, process, known);
      learn(last.traces.products);
    }
    const recurring =
      last === first
        ? []
        : recurringProducts(first.traces.others, last.traces.others, (await workspace.revision.tracked?.()) ?? null);
    if (recurring.length > 0) notes.push(`taken for products of the check from now on: ${named(recurring)}`);
    const unsettled = last.traces.others.filter((path) => !recurring.includes(path));
    if (last.judgement.passed && unsettled.length > 0) {
      const reason = `the check is self-modifying: it changes ${named(unsettled)} whenever it runs`;
      last = { ...last, judgement: { passed: false, reason } };
    }
    const before = workspace.revision.tree(last.before, [...known]);
    learn(recurring);
    return finish(last, before);
  }
  return finish(last, workspace.revision.tree(first.before, start.known));

  function finish(pass: Pass, before: string): CheckRun {
    const after = workspace.revision.tree(pass.after, [...known]);
    const trees = { before, after, revision: pass.after.revision };
    const evidence = start.declared ? evidenceOf(check, actionId, pass, trees, products) : null;
    if (!start.declared) notes.push('not a declared check, so it is no evidence');
    return { check, ...pass, products, notes, evidence };
  }
}

async function onePass(
  { workspace, check, signal }: CheckStart,
  before: Scan,
  process: PreparedProcess,
  known: ReadonlySet<string>,
): Promise<Pass> {
  const result = await process.start();
  // The scan after a cancelled run is not cut short: what the command did until then must be seen.
  const after = await workspace.revision.scan(signal.aborted ? undefined : signal);
  const output = cleanOutput(result.output);
  const counts = parseCounts(output);
  const traces = tracesOf(before, after, workspace.revision.changed(before, after), known);
  return { before, after, result, output, counts, judgement: judgeCheck(check, result, counts), traces };
}

/**
 * Evidence, for or against, needs a command that ran to its end, and an end that is told in one way; anything else is
 * told in the outcome only, and the check is to be run again.
 */
export function evidenceOf(
  check: Check,
  actionId: string,
  run: { readonly result: ProcessResult; readonly counts: TestCounts | null; readonly judgement: Judgement },
  trees: { readonly before: string; readonly after: string; readonly revision: string },
  products: readonly string[],
): BodyOf<'evidence.recorded'> | null {
  const { result, counts, judgement } = run;
  if (result.state !== 'exited' || result.exitCode === null || !result.consistent) return null;
  return {
    type: 'evidence.recorded',
    check: check.command,
    actionId,
    exitCode: result.exitCode,
    ...(counts === null ? {} : { counts }),
    ...trees,
    passed: judgement.passed,
    ...(judgement.reason === null ? {} : { reason: judgement.reason }),
    ...(products.length === 0 ? {} : { products }),
  };
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, 5).join(', ');
  return paths.length > 5 ? `${shown} and ${paths.length - 5} more` : shown;
}
