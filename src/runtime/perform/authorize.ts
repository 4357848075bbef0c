/** One step on its way to a verdict: hooks, then what policy and people say. Nothing in the world changes here. */
import type { BodyOf, FactBody, Json, OpenAction, PlanStep } from '#kernel';
import { canonicalJson } from '#lib';
import { type Batches, type Run, turnOf } from '../run.ts';
import { closeCall } from './close-call.ts';
import { fire, fireHooks, pauseForHook } from './fire.ts';
import { call } from './intend.ts';
import { permit } from './permit.ts';

export async function* work(run: Run, stepId: string): Batches {
  const description = describe(run, stepId);
  if (!turnOf(run.state()).started.includes(stepId)) {
    const before = yield* fire(run, 'before_step', stepId, { step: { id: stepId, description } });
    if (!before.go) return;
    yield { facts: [{ type: 'step.start', stepId, description }] };
    if (before.sentinel?.sentinel === 'skip') {
      yield { facts: [{ type: 'step.end', stepId, outcome: 'skipped' }] };
      return;
    }
  }
  yield { facts: [{ type: 'step.end', stepId, outcome: 'ok' }] };
  yield* fire(run, 'after_step', stepId, { step: { id: stepId, description }, outcome: 'ok' });
}

export async function* authorize(run: Run, stepId: string, forbidden: boolean): Batches {
  let action = find(run, stepId);
  if (action === null) {
    const step = planned(run, stepId);
    if (step?.tool === undefined) return;
    yield { facts: [await call(run, run.ports.newId(), step.tool, step.args ?? {}, 'plan', stepId)] };
    action = find(run, stepId);
    if (action === null) return;
  }
  const { actionId } = action;
  const description = describe(run, stepId);
  const step = { id: stepId, description, tool: action.tool, args: action.args };
  let opening: readonly FactBody[] = [];
  if (!turnOf(run.state()).started.includes(stepId)) {
    const before = yield* fire(run, 'before_step', stepId, { step });
    if (!before.go) return;
    opening = [{ type: 'step.start', stepId, actionId, ...(description === 'call' ? {} : { description }) }];
    // The ordinary call needs only its verdict, which is then written in one piece with its start.
    const ordinary = action.problem === null && action.status === 'intended' && !forbidden && run.hooks.isEmpty();
    if (!ordinary) {
      yield { facts: opening };
      opening = [];
    }
    if (before.sentinel?.sentinel === 'skip') {
      yield* closeCall(run, action, 'skip', 'hook', 'skipped by a hook', skippedByHook);
      return;
    }
  }
  if (action.problem !== null) {
    const { kind, message, suggestedAction } = action.problem;
    yield* closeCall(run, action, 'deny', 'runtime', kind, `${message}\nNext: ${suggestedAction}`);
    return;
  }
  if (forbidden) {
    yield { facts: [{ type: 'progress.signal', signal: 'forbidden_retry', count: 1, detail: 'the same call again' }] };
    const message =
      'This call was made again and again with the same result and may not run again. Try another strategy.';
    yield* closeCall(run, action, 'deny', 'runtime', 'no_progress', message);
    return;
  }
  if (action.status === 'denied') {
    const note = action.approval?.note ? ` They said: ${action.approval.note}` : '';
    yield* closeCall(
      run,
      action,
      'deny',
      'person',
      'denied',
      `A person denied this call; it did not run.${note} Find another way or explain what you need.`,
    );
    return;
  }
  let mustAsk: string | null = null;
  if (action.status === 'intended') {
    const hooked = yield* beforeToolCall(run, action, step);
    // Stopped meanwhile: a hook may have been kept from answering, so nothing is decided.
    if (hooked === 'stop' || run.signal.aborted) return;
    if (hooked !== 'go') mustAsk = hooked.ask;
    action = find(run, stepId) ?? action;
  }
  yield* permit(run, action, opening, mustAsk);
}

async function* beforeToolCall(
  run: Run,
  action: OpenAction,
  step: Record<string, unknown>,
): AsyncGenerator<{ readonly facts: readonly FactBody[] }, 'go' | 'stop' | { readonly ask: string }, void> {
  if (!run.hooks.has('before_tool_call')) return 'go';
  const invocationId = `before_tool_call:${action.actionId}`;
  const firing = yield* fireHooks(run, 'before_tool_call', invocationId, { step }, run.signal);
  if (!firing.ok) {
    if (firing.abort) {
      const message = `A policy refused this call: ${firing.reason}. It did not run; find another way or say what you need.`;
      yield* closeCall(run, action, 'abort', 'hook', firing.reason, message);
    } else yield* pauseForHook(run, 'before_tool_call', invocationId, firing);
    return 'stop';
  }
  const { sentinel } = firing;
  const hook = firing.hook === null ? {} : { hook: firing.hook };
  if (sentinel?.sentinel === 'skip') {
    yield* closeCall(run, action, 'skip', 'hook', 'skipped by a hook', skippedByHook);
    return 'stop';
  }
  const go = sentinel?.sentinel === 'ask' ? { ask: sentinel.reason } : 'go';
  if (sentinel !== null && sentinel.sentinel !== 'ask') {
    const decision = sentinel.sentinel === 'pause' ? 'review' : 'replan';
    const fact = {
      type: 'hook.decided' as const,
      topic: 'before_tool_call',
      decision,
      invocationId,
      reason: sentinel.reason,
      ...hook,
    };
    yield { facts: [fact as BodyOf<'hook.decided'>] };
  }
  const changed = firing.payload['step'] as { readonly tool?: unknown; readonly args?: Json } | undefined;
  const args = changed?.args ?? action.args;
  if (canonicalJson(args) === canonicalJson(action.args)) return go;
  const profile = await run.ports.tools.profile(action.tool, args);
  if (profile.problem !== null) {
    const { message, suggestedAction } = profile.problem;
    yield* closeCall(
      run,
      action,
      'deny',
      'hook',
      'invalid rewrite',
      `A hook changed the arguments: ${message}\nNext: ${suggestedAction}`,
    );
    return 'stop';
  }
  yield {
    facts: [
      {
        type: 'hook.decided',
        topic: 'before_tool_call',
        decision: 'rewrite',
        invocationId,
        actionId: action.actionId,
        args,
        effect: profile.effect,
        ...(profile.paths === null ? {} : { paths: profile.paths }),
        ...hook,
      },
    ],
  };
  return go;
}

const skippedByHook = 'The call was skipped by a hook; it did not run. Go on without it.';

function find(run: Run, stepId: string): OpenAction | null {
  return turnOf(run.state()).open.find((open) => open.stepId === stepId) ?? null;
}

function describe(run: Run, stepId: string): string {
  return planned(run, stepId)?.description ?? '';
}

/** The step of the plan. Its turn is at the cursor or soon after it, so a long plan is not searched from its begin. */
function planned(run: Run, stepId: string): PlanStep | undefined {
  const { plan, cursor } = turnOf(run.state());
  const steps = plan?.steps ?? [];
  for (let at = cursor; at < steps.length; at++) if (steps[at]?.stepId === stepId) return steps[at];
  return steps.find((step) => step.stepId === stepId);
}
