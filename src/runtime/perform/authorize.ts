/** One step on its way to a verdict: hooks, policy, approval. Nothing in the world changes here. */
import { createHash } from 'node:crypto';
import { type BodyOf, type FactBody, type Json, makeFailure, type OpenAction, type PlanStep } from '#kernel';
import { canonicalJson, messageOf } from '#lib';
import type { Loss, PermissionPort } from '../contract.ts';
import { type Batches, type Run, turnOf } from '../run.ts';
import { fire, fireHooks, fireQuietly, pauseForHook } from './fire.ts';
import { call } from './intend.ts';

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
      yield* close(run, action, 'skip', 'hook', 'skipped by a hook', skippedByHook);
      return;
    }
  }
  if (action.problem !== null) {
    const { kind, message, suggestedAction } = action.problem;
    yield* close(run, action, 'deny', 'runtime', kind, `${message}\nNext: ${suggestedAction}`);
    return;
  }
  if (forbidden) {
    yield { facts: [{ type: 'progress.signal', signal: 'forbidden_retry', count: 1, detail: 'the same call again' }] };
    const message =
      'This call was made again and again with the same result and may not run again. Try another strategy.';
    yield* close(run, action, 'deny', 'runtime', 'no_progress', message);
    return;
  }
  if (action.status === 'denied') {
    const note = action.approval?.note ? ` They said: ${action.approval.note}` : '';
    yield* close(
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
    if (hooked === 'stop') return;
    if (hooked !== 'go') mustAsk = hooked.ask;
    action = find(run, stepId) ?? action;
  }
  yield* decidePermission(run, action, opening, mustAsk);
}

async function* beforeToolCall(
  run: Run,
  action: OpenAction,
  step: Record<string, unknown>,
): AsyncGenerator<{ readonly facts: readonly FactBody[] }, 'go' | 'stop' | { readonly ask: string }, void> {
  if (!run.hooks.has('before_tool_call')) return 'go';
  const invocationId = `before_tool_call:${action.actionId}`;
  const firing = yield* fireHooks(run, 'before_tool_call', invocationId, { step });
  if (!firing.ok) {
    if (firing.abort) {
      const message = `A policy refused this call: ${firing.reason}. It did not run; find another way or say what you need.`;
      yield* close(run, action, 'abort', 'hook', firing.reason, message);
    } else yield* pauseForHook(run, 'before_tool_call', invocationId, firing);
    return 'stop';
  }
  const { sentinel } = firing;
  const hook = firing.hook === null ? {} : { hook: firing.hook };
  if (sentinel?.sentinel === 'skip') {
    yield* close(run, action, 'skip', 'hook', 'skipped by a hook', skippedByHook);
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
    yield* close(
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

/** `mustAsk`: why a hook wants a person to decide, whatever the rules allow. */
async function* decidePermission(
  run: Run,
  action: OpenAction,
  opening: readonly FactBody[],
  mustAsk: string | null,
): Batches {
  const { settings, workspace, cwd } = run.state();
  const { tool, args, effect, paths, actionId } = action;
  const ruled: Awaited<ReturnType<PermissionPort>> =
    effect === 'host'
      ? { decision: 'allow', by: 'policy', reason: 'host tool' }
      : await asked(
          run.ports.permission,
          { tool, args, effect, paths },
          {
            mode: settings.mode,
            allow: settings.allow,
            checks: settings.checks,
            workspace: workspace ?? '',
            ...(cwd === '.' ? {} : { cwd }),
            signal: run.signal,
          },
        );
  const isToAsk = mustAsk !== null && ruled.decision === 'allow';
  const decision: typeof ruled = isToAsk ? { ...ruled, decision: 'ask', reason: `a hook asks: ${mustAsk}` } : ruled;
  if (decision.decision === 'deny') {
    const message = decision.message || `Not permitted: ${decision.reason}. Find another way or say what you need.`;
    yield { facts: opening };
    yield* close(run, action, 'deny', decision.by, decision.reason, message);
    return;
  }
  const approved = action.status === 'approved';
  const losses = decision.losses ?? [];
  if (decision.decision === 'allow' && !approved) {
    const { by, reason } = decision;
    const verdict: FactBody = { type: 'action.verdict', actionId, verdict: 'allow', by, reason };
    if (losses.length === 0) {
      yield { facts: [...opening, verdict] };
      return;
    }
    yield { facts: opening };
    if (yield* keepFirst(run, action, losses)) yield { facts: [verdict] };
    return;
  }
  yield { facts: opening };
  // Asked, or approved earlier: look at the world, so that a verdict binds to what the person saw.
  const inspection = await run.ports.tools
    .inspect(tool, args, { actionId, signal: run.signal, state: run.state })
    .catch((thrown: unknown) => ({
      ok: false as const,
      failure: makeFailure('internal', messageOf(thrown), 'try another call'),
    }));
  if (run.signal.aborted) return;
  if (!inspection.ok) {
    const { kind, message, suggestedAction } = inspection.failure;
    yield* close(run, action, 'deny', 'runtime', kind, `${message}\nNext: ${suggestedAction}`);
    return;
  }
  const binding = bindingOf(tool, args, workspace, inspection.base ?? null);
  if (!approved) {
    const shown = [inspection.preview ?? '', await told(run, losses)].filter((text) => text !== '').join('\n\n');
    if (run.signal.aborted) return;
    const preview = shown === '' ? {} : { preview: shown };
    const { always: rules = [] } = decision;
    const always = rules.length === 0 ? {} : { always: [...rules] };
    const isPersons = decision.personOnly === true || decision.by === 'rule' || losses.length > 0;
    const more = { ...preview, ...always, ...(isPersons ? { personOnly: true } : {}) };
    yield { facts: [{ type: 'approval.requested', actionId, reason: decision.reason, binding, ...more }] };
    return;
  }
  if (binding !== action.approval?.binding) {
    const message =
      'The file changed after this call was proposed, so the approval no longer fits; nothing was written.\nNext: read it again and propose the change anew.';
    yield* close(run, action, 'deny', 'runtime', 'stale', message);
    return;
  }
  if (!(yield* keepFirst(run, action, losses))) return;
  const { by: who, note } = action.approval;
  const by = who === 'classifier' ? 'classifier' : 'person';
  const reason = by === 'classifier' ? (note ?? 'it is safe') : `approved by ${who ?? 'a person'}`;
  yield { facts: [{ type: 'action.verdict', actionId, verdict: 'allow', by, reason }] };
}

/** What there is to lose; that it cannot be told is told. */
async function told(run: Run, losses: readonly Loss[]): Promise<string> {
  const { guard } = run.ports;
  if (guard === undefined || losses.length === 0) return '';
  return guard
    .tell(losses, run.state(), run.signal)
    .catch((thrown: unknown) => `What would be lost could not be found out: ${messageOf(thrown)}`);
}

/** Keeps what the call could take away. False where the call may not run: it was closed, or the run was interrupted. */
async function* keepFirst(
  run: Run,
  action: OpenAction,
  losses: readonly Loss[],
): AsyncGenerator<{ readonly facts: readonly FactBody[] }, boolean, void> {
  const { guard } = run.ports;
  if (guard === undefined || losses.length === 0) return true;
  try {
    yield { facts: await guard.keep(losses, run.state(), run.signal) };
    return true;
  } catch (thrown) {
    if (run.signal.aborted) return false;
    const reason = `what it could take away was not kept: ${messageOf(thrown)}`;
    const message = `Not run: ${reason}.\nNext: go another way that loses nothing, or say what is missing.`;
    yield* close(run, action, 'deny', 'runtime', 'not kept', message);
    return false;
  }
}

/** A policy that throws has not allowed anything: a person is asked. One that hangs does not hold up a cancel. */
async function asked(permission: PermissionPort, ...question: Parameters<PermissionPort>): ReturnType<PermissionPort> {
  const { signal } = question[1];
  let stop = () => {};
  const aborted = new Promise<Awaited<ReturnType<PermissionPort>>>((resolve) => {
    stop = () => resolve({ decision: 'ask', by: 'policy', reason: 'the run was stopped' });
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([permission(...question), aborted]);
  } catch (thrown) {
    return { decision: 'ask', by: 'policy', reason: `the permission function failed: ${messageOf(thrown)}` };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

const skippedByHook = 'The call was skipped by a hook; it did not run. Go on without it.';

/** What an approval binds to. Never a provider's id: only our action, its effective input and the files as seen. */
function bindingOf(tool: string, args: Json, cwd: string | null, base: Json): string {
  return createHash('sha256')
    .update(canonicalJson([tool, args, cwd, base]))
    .digest('hex')
    .slice(0, 32);
}

/** Closes a call that will never run: its verdict is its result. */
async function* close(
  run: Run,
  action: OpenAction,
  verdict: 'deny' | 'abort' | 'skip',
  by: BodyOf<'action.verdict'>['by'],
  reason: string,
  message: string,
): Batches {
  const outcome = verdict === 'skip' ? 'skipped' : 'error';
  yield {
    facts: [
      { type: 'action.verdict', actionId: action.actionId, verdict, by, reason, message },
      { type: 'step.end', stepId: action.stepId, outcome },
    ],
  };
  if (verdict === 'skip') return;
  const error = verdict === 'abort' ? `hook_abort:${reason}` : message;
  const step = { id: action.stepId, tool: action.tool, args: action.args };
  yield* fireQuietly(run, 'on_error', action.actionId, { step, error });
}

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
