/**
 * One action that runs declared checks, one after the other, each in its own folder below the folder of the attempt.
 * `Test` runs any number this way, `Bash` one, when its command is a declared check.
 */
import { join } from 'node:path';
import type { Check, Json } from '#kernel';
import type { PreparedProcess, ProcessResult, Scan, Workspace } from '#workspace';
import type { AttemptContext, Preparation, Settlement, ToolOutcome } from '../contract.ts';
import { type PreparedOr, prepareProcess, settlingOf } from '../process/attempt-process.ts';
import { cleanOutput } from '../text/clean-output.ts';
import { unmasked } from '../text/masked-part.ts';
import { checkOutcome, type ReportedRun } from './check-outcome.ts';
import { judgeCheck } from './judge-check.ts';
import { parseCounts } from './parse-counts.ts';
import { evidenceOf, runCheck } from './run-check.ts';

export interface ChecksToRun {
  readonly checks: readonly Check[];
  /** False: run by permission only; what they show is reported and recorded as nothing. */
  readonly declared: boolean;
  /** Of each run. */
  readonly timeoutMs: number;
  /** The text to run, where it differs from the check's own in writing only. */
  readonly commandText?: string;
}

type Which = { readonly index: number; readonly again: boolean };

/** Folder and name of a run; the first run of the first check uses the attempt's own. */
function placeOf(context: AttemptContext, { index, again }: Which): { execFolder: string; attemptId: string } {
  if (index === 0 && !again) return { execFolder: context.execFolder, attemptId: context.attemptId };
  const name = `${index + 1}${again ? '-again' : ''}`;
  return { execFolder: join(context.execFolder, name), attemptId: `${context.attemptId}.${name}` };
}

const requestOf = (workspace: Workspace, context: AttemptContext, timeoutMs: number, which: Which) => ({
  cwd: workspace.root,
  ...placeOf(context, which),
  actionId: context.actionId,
  timeoutMs,
  signal: context.signal,
  onOutput: context.onOutput,
});

export async function prepareChecks(
  workspace: Workspace,
  todo: ChecksToRun,
  context: AttemptContext,
): Promise<Preparation> {
  const before = await workspace.revision.scan(context.signal);
  const prepare = (which: Which): Promise<PreparedOr> =>
    prepareProcess(workspace, {
      ...requestOf(workspace, context, todo.timeoutMs, which),
      command: todo.commandText ?? todo.checks[which.index]?.command ?? '',
    });
  const first = await prepare({ index: 0, again: false });
  if (!first.ok) return first;
  return {
    ok: true,
    attempt: {
      deadlineMs: todo.timeoutMs * todo.checks.length * 2,
      base: { tree: workspace.revision.tree(before, context.state().world.products) },
      run: () => runAll(workspace, todo, context, before, first.process, prepare),
      discard: () => first.process.discard(),
    },
  };
}

async function runAll(
  workspace: Workspace,
  { checks, timeoutMs, declared }: ChecksToRun,
  context: AttemptContext,
  start: Scan,
  first: PreparedProcess,
  prepare: (which: Which) => Promise<PreparedOr>,
): Promise<ToolOutcome> {
  const runs: ReportedRun[] = [];
  const { mask = unmasked } = context;
  let known = context.state().world.products;
  let before = start;
  for (const [index, check] of checks.entries()) {
    const prepared: PreparedOr = index === 0 ? { ok: true, process: first } : await prepare({ index, again: false });
    if (!prepared.ok) return checkOutcome(runs, timeoutMs, checks.slice(index), prepared.failure);
    const run = await runCheck({
      workspace,
      check,
      declared,
      actionId: context.actionId,
      known,
      before,
      signal: context.signal,
      first: prepared.process,
      again: async () => {
        const second = await prepare({ index, again: true });
        return second.ok ? second.process : null;
      },
    });
    runs.push({ ...run, output: mask(run.output) });
    known = [...known, ...run.products];
    before = run.after;
    if (run.result.state !== 'exited') return checkOutcome(runs, timeoutMs, checks.slice(index + 1), null);
  }
  return checkOutcome(runs, timeoutMs, [], null);
}

/**
 * How checks left behind by another run ended. They are evidence only if the workspace now is what it was before the
 * first of them, apart from products: what a check created cannot be told from other changes any more.
 */
export async function settleChecks(
  workspace: Workspace,
  { checks, timeoutMs, declared }: ChecksToRun,
  base: Json | null,
  context: AttemptContext,
): Promise<Settlement> {
  const found: { readonly check: Check; readonly result: ProcessResult }[] = [];
  for (const [index, check] of checks.entries()) {
    // Every place is settled, so that an agent that only slept cannot start the rest later.
    const results: ProcessResult[] = [];
    for (const again of [false, true]) {
      const request = requestOf(workspace, context, timeoutMs, { index, again });
      // Only the first place is made ready before the start is recorded.
      const isOptional = index > 0 || again;
      results.push(await workspace.processes.settle({ ...request, bootId: context.bootId, isOptional }));
    }
    const last = results.findLast((result) => result.state !== 'not-started');
    if (last !== undefined) found.push({ check, result: last });
  }
  const last = found.at(-1);
  if (last === undefined) {
    return {
      state: 'not-started',
      settling: { probe: 'claim', observed: 'free, and revoked now', verdict: 'not-started' },
    };
  }
  const now = await workspace.revision.scan(context.signal);
  const tree = workspace.revision.tree(now, context.state().world.products);
  const same = declared && tree === treeOf(base);
  const runs = found.map(({ check, result }): ReportedRun => {
    const output = cleanOutput(result.output);
    const counts = parseCounts(output);
    const judgement = judgeCheck(check, result, counts);
    const trees = { before: tree, after: tree, revision: now.revision };
    const isWhole = result.consistent && !result.cut;
    const evidence =
      same && isWhole ? evidenceOf(check, context.actionId, { result, counts, judgement }, trees, []) : null;
    return {
      check,
      result,
      output: (context.mask ?? unmasked)(output),
      counts,
      judgement,
      notes: interruptionNotes(declared, same, isWhole),
      evidence,
    };
  });
  const left = checks.filter((check) => !found.some((run) => run.check === check));
  const settling = settlingOf((found.find(({ result }) => result.state === 'unknown') ?? last).result);
  return { state: 'settled', outcome: { ...checkOutcome(runs, timeoutMs, left, null), settling } };
}

function interruptionNotes(declared: boolean, same: boolean, isWhole: boolean): string[] {
  if (!declared) return ['not a declared check, so it is no evidence'];
  if (!isWhole) return ['not all that it left is there, so it is no evidence; run it again'];
  return same
    ? ['it ended while the run was interrupted; its receipt is complete']
    : ['the workspace changed since it started, so it is no evidence; run it again'];
}

function treeOf(base: Json | null): string | null {
  const tree =
    base !== null && typeof base === 'object' && !Array.isArray(base) ? (base as { tree?: Json }).tree : null;
  return typeof tree === 'string' ? tree : null;
}
