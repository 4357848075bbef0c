/** The effect: prepared, durably started, run, receipted. Calls of one group run side by side. */
import { type FactBody, type Json, makeFailure, type OpenAction, type State } from '#kernel';
import { messageOf } from '#lib';
import type { PreparedAttempt, ToolResult } from '../contract.ts';
import { type Batches, type Run, turnOf } from '../run.ts';
import { forgetEarly, takeEarly } from './early.ts';
import { fire, fireQuietly } from './fire.ts';
import { context, isStoreFull, opened, openedIn, outcomeFacts } from './receipt.ts';
import { release, unlessRecorded } from './tasks.ts';

export async function* handOver(run: Run, actionIds: readonly string[]): Batches {
  const steps = opened(run, actionIds).map((action) => ({ id: action.stepId, tool: action.tool, args: action.args }));
  yield { facts: handedOver(run.state(), actionIds) };
  for (const step of steps) {
    const fired = yield* fire(run, 'after_step', step.id, { step, outcome: 'awaiting_tool' });
    if (!fired.go) return;
  }
}

export const handedOver = (state: State, actionIds: readonly string[]): readonly FactBody[] =>
  openedIn(state, actionIds).map(({ stepId }) => ({ type: 'step.end', stepId, outcome: 'awaiting_tool' }));

export async function* execute(run: Run, actionIds: readonly string[]): Batches {
  const ready: { action: OpenAction; attemptId: string; attempt: PreparedAttempt }[] = [];
  const starts: FactBody[] = [];
  try {
    for (const action of opened(run, actionIds)) {
      const attemptId = attemptIdOf(run, action);
      const prepared = await prepare(run, action, attemptId);
      if (!prepared.ok) {
        yield { facts: refusal(action, prepared.failure) };
        continue;
      }
      const early = takeEarly(run, action);
      const attempt = early === null ? prepared.attempt : begunEarly(prepared.attempt, early);
      ready.push({ action, attemptId, attempt });
      starts.push(startFact(run, action, attemptId, attempt, early !== null));
    }
    if (ready.length === 0) return;
    await run.hear();
    if (run.signal.aborted) {
      for (const { attempt } of ready) await attempt.discard();
      return;
    }
    if (ready.some(({ action }) => action.effect !== 'read')) forgetEarly(run);
    yield { facts: starts, barrier: ready.some(({ action }) => action.effect !== 'read') };
  } catch (thrown) {
    // The start could not be stored, so the effect does not happen.
    for (const { attempt } of ready) await attempt.discard().catch(() => {});
    throw thrown;
  }
  if (ready.some(({ action }) => action.effect !== 'read' && action.effect !== 'file')) run.scanWanted = true;
  await run.hear();
  yield* receipts(run, ready);
}

/**
 * An executor that died between making an attempt ready and recording its start leaves a folder that is revoked. The
 * next executor counts the same number of attempts, so the number alone would lead it into that folder.
 */
const attemptIdOf = (run: Run, action: OpenAction): string =>
  `${action.actionId}.${action.attempts + 1}-${run.executorId.slice(-6)}`;

/** What was begun early is waited for; if it came to nothing, the read happens now. */
const begunEarly = (attempt: PreparedAttempt, early: Promise<ToolResult>): PreparedAttempt => ({
  ...attempt,
  run: () => early.catch(() => attempt.run()),
});

/** What ended by now is written in one piece; nothing that ended waits for what still runs. */
async function* receipts(
  run: Run,
  ready: readonly { action: OpenAction; attemptId: string; attempt: PreparedAttempt }[],
): Batches {
  const ended: { readonly attemptId: string; readonly facts: readonly FactBody[] }[] = [];
  const faults: unknown[] = [];
  let change = Promise.withResolvers<void>();
  for (const { action, attemptId, attempt } of ready) {
    void runOne(run, action, attemptId, attempt).then(
      (facts) => {
        ended.push({ attemptId, facts });
        change.resolve();
      },
      (thrown: unknown) => {
        faults.push(thrown);
        change.resolve();
      },
    );
  }
  for (let running = ready.length; running > 0; ) {
    await change.promise;
    change = Promise.withResolvers();
    const now = ended.splice(0);
    running -= now.length;
    const { tasks } = run.state();
    const facts = now.flatMap((one) => one.facts);
    yield { facts: unlessRecorded(run, facts) };
    for (const { attemptId } of now) release(run, attemptId, tasks);
    if (faults.length > 0) throw faults[0];
  }
}

async function runOne(
  run: Run,
  action: OpenAction,
  attemptId: string,
  attempt: PreparedAttempt,
): Promise<readonly FactBody[]> {
  let result: ToolResult;
  try {
    result = await attempt.run();
  } catch (thrown) {
    // No outcome could be stored either: the run stops, and whoever opens the session next settles the attempt.
    if (isStoreFull(thrown)) throw thrown;
    result = await afterThrow(run, action, attemptId, attempt.base ?? null, messageOf(thrown));
  }
  return outcomeFacts(run, action.actionId, attemptId, result);
}

/** The tool broke its promise and threw. What happened is asked from the world; if it cannot say, it is unknown. */
async function afterThrow(
  run: Run,
  action: OpenAction,
  attemptId: string,
  base: Json,
  message: string,
): Promise<ToolResult> {
  const failure = makeFailure('internal', message, 'try another way; this tool failed internally');
  const failed: ToolResult = { status: 'failed', output: `${message}\nNext: ${failure.suggestedAction}`, failure };
  if (action.effect === 'read') return failed;
  try {
    const settled = await run.ports.tools.settle(action.tool, action.args, base, context(run, action, attemptId));
    return settled.state === 'settled' ? settled.outcome : failed;
  } catch (thrown) {
    if (isStoreFull(thrown)) throw thrown;
    return {
      status: 'unknown',
      output: `The tool failed while it ran, and its effect is not known: ${message}\nNext: look at the present state.`,
      failure,
    };
  }
}

export async function* reflect(run: Run): Batches {
  const turn = turnOf(run.state());
  if (turn.phase === 'awaiting_tool') {
    for (const action of turn.open.filter((open) => open.status === 'closed' && turn.ended.includes(open.stepId))) {
      const step = { id: action.stepId, tool: action.tool, args: action.args };
      if (action.outcome !== 'succeeded') {
        const error = action.failure?.message ?? action.outcome ?? 'failed';
        yield* fireQuietly(run, 'on_error', action.actionId, { step, error });
      }
      const fired = yield* fire(run, 'after_tool_call', action.actionId, { step });
      if (!fired.go) return;
    }
  }
  yield { facts: [{ type: 'phase.enter', to: 'reflecting' }] };
}

async function prepare(run: Run, action: OpenAction, attemptId: string) {
  try {
    return await run.ports.tools.prepare(action.tool, action.args, context(run, action, attemptId));
  } catch (thrown) {
    if (isStoreFull(thrown)) throw thrown;
    const failure = makeFailure('internal', messageOf(thrown), 'nothing was started; try another call');
    return { ok: false as const, failure };
  }
}

function refusal(action: OpenAction, failure: ReturnType<typeof makeFailure>): readonly FactBody[] {
  const output = `${failure.message}\nNext: ${failure.suggestedAction}`;
  return [{ type: 'attempt.outcome', actionId: action.actionId, status: 'failed', output, failure }];
}

function startFact(
  run: Run,
  action: OpenAction,
  attemptId: string,
  attempt: PreparedAttempt,
  early: boolean,
): FactBody {
  return {
    type: 'attempt.start',
    attemptId,
    actionId: action.actionId,
    executorId: run.executorId,
    effect: action.effect,
    ...(attempt.deadlineMs === undefined ? {} : { deadlineMs: attempt.deadlineMs }),
    ...(attempt.base === undefined ? {} : { base: attempt.base }),
    ...(early ? { early: true } : {}),
  };
}
