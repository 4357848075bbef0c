/** What policy says of a call, and a person where it asks; then the verdict, behind what is kept of work at risk. */
import { createHash } from 'node:crypto';
import { type FactBody, type Json, makeFailure, type OpenAction } from '#kernel';
import { canonicalJson, messageOf } from '#lib';
import type { Loss, MaskPort, PermissionPort } from '../contract.ts';
import type { Batches, Run } from '../run.ts';
import { closeCall } from './close-call.ts';

/** `mustAsk`: why a hook wants a person to decide, whatever the rules allow. */
export async function* permit(
  run: Run,
  action: OpenAction,
  opening: readonly FactBody[],
  mustAsk: string | null,
): Batches {
  const { settings, workspace, cwd } = run.state();
  const { tool, args, effect, paths, actionId } = action;
  const ruled: Decision =
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
  const decision = masked(
    isToAsk ? { ...ruled, decision: 'ask', reason: `a hook asks: ${mustAsk}` } : ruled,
    run.ports.mask,
  );
  if (decision.decision === 'deny') {
    const message = decision.message || `Not permitted: ${decision.reason}. Find another way or say what you need.`;
    yield { facts: opening };
    yield* closeCall(run, action, 'deny', decision.by, decision.reason, message);
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
    yield* closeCall(run, action, 'deny', 'runtime', kind, `${message}\nNext: ${suggestedAction}`);
    return;
  }
  const binding = bindingOf(tool, args, workspace, inspection.base ?? null);
  if (!approved) {
    const shown = [inspection.preview ?? '', await told(run, losses)].filter((text) => text !== '').join('\n\n');
    if (run.signal.aborted) return;
    const preview = shown === '' ? {} : { preview: shown };
    const { always: rules = [] } = decision;
    const always = rules.length === 0 ? {} : { always: [...rules] };
    const isPersons =
      decision.personOnly === true || decision.by === 'rule' || losses.some(({ unsure }) => unsure !== true);
    const more = { ...preview, ...always, ...(isPersons ? { personOnly: true } : {}) };
    yield { facts: [{ type: 'approval.requested', actionId, reason: decision.reason, binding, ...more }] };
    return;
  }
  if (binding !== action.approval?.binding) {
    const message =
      'The file changed after this call was proposed, so the approval no longer fits; nothing was written.\nNext: read it again and propose the change anew.';
    yield* closeCall(run, action, 'deny', 'runtime', 'stale', message);
    return;
  }
  if (!(yield* keepFirst(run, action, losses))) return;
  const { by: who, note } = action.approval;
  const by = who === 'classifier' ? 'classifier' : 'person';
  const reason = by === 'classifier' ? (note ?? 'it is safe') : `approved by ${who ?? 'a person'}`;
  yield { facts: [{ type: 'action.verdict', actionId, verdict: 'allow', by, reason }] };
}

type Decision = Awaited<ReturnType<PermissionPort>>;

/** What is said of a call may quote its words. A rule that would hold a secret is not offered: it would be stored as it is. */
function masked(decision: Decision, mask: MaskPort | undefined): Decision {
  if (mask === undefined) return decision;
  const { always = [], message, ...rest } = decision;
  return {
    ...rest,
    reason: mask.text(decision.reason),
    ...(message === undefined ? {} : { message: mask.text(message) }),
    ...(always.every((rule) => mask.text(rule) === rule) ? { always } : {}),
  };
}

/** What there is to lose; that it cannot be told is told. */
async function told(run: Run, losses: readonly Loss[]): Promise<string> {
  const { guard } = run.ports;
  if (guard === undefined || losses.length === 0) return '';
  const text = await guard
    .tell(losses, run.state(), run.signal)
    .catch((thrown: unknown) => `What would be lost could not be found out: ${messageOf(thrown)}`);
  return run.ports.mask?.text(text) ?? text;
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
    yield* closeCall(run, action, 'deny', 'runtime', 'not kept', message);
    return false;
  }
}

/** A policy that throws has not allowed anything: a person is asked. One that hangs does not hold up a cancel. */
async function asked(permission: PermissionPort, ...question: Parameters<PermissionPort>): ReturnType<PermissionPort> {
  const { signal } = question[1];
  let stop = () => {};
  const aborted = new Promise<Decision>((resolve) => {
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

/** What an approval binds to. Never a provider's id: only our action, its effective input and the files as seen. */
function bindingOf(tool: string, args: Json, cwd: string | null, base: Json): string {
  return createHash('sha256')
    .update(canonicalJson([tool, args, cwd, base]))
    .digest('hex')
    .slice(0, 32);
}
