/**
 * The permission function of an embedding program, in the place of the policy or around it.
 *
 * 1. Only a plain `allow` allows. A function that throws, takes too long or answers something else asks.
 * 2. What the call could take away is found by the policy all the same, so that it is kept first.
 * 3. Where nobody may be asked, what would ask is denied.
 */
import type { Json, PermissionMode } from '#kernel';
import { messageOf } from '#lib';
import type { Permission, PermissionCall, PermissionContext, PermissionDecision } from '../contract.ts';

export type OwnVerdict =
  | 'allow'
  | 'ask'
  | 'deny'
  | {
      readonly decision: 'allow' | 'ask' | 'deny';
      /** For people. */
      readonly reason?: string;
      /** For the model, when denied: what to do instead. */
      readonly message?: string;
    };
export interface OwnContext {
  readonly mode: PermissionMode;
  readonly workspace: string;
  readonly effect: PermissionCall['effect'];
  /** Relative to the workspace; null: any. */
  readonly paths: readonly string[] | null;
  readonly signal: AbortSignal;
  /** What Belay's own policy says, for functions that go around it. */
  policy(): Promise<PermissionDecision>;
}
/** `(tool, input, context) → allow | ask | deny` */
export type OwnPermission = (tool: string, input: Json, context: OwnContext) => OwnVerdict | Promise<OwnVerdict>;

export function withOwnPermission(policy: Permission, own: OwnPermission, timeoutMs = 30_000): Permission {
  return async (call, context) => {
    let known: Promise<PermissionDecision> | null = null;
    const ask = () => {
      known ??= policy(call, context);
      return known;
    };
    const said = await answer(own, call, context, ask, timeoutMs);
    if (said.decision === 'deny') return said;
    const { losses } = await ask();
    const decision = { ...said, ...(losses === undefined ? {} : { losses }) };
    if (decision.decision === 'allow' || context.mode !== 'dontAsk') return decision;
    const message = `This ${call.tool} call needs an answer (${said.reason}) and nobody may be asked. Go another way, or say what is missing.`;
    return { decision: 'deny', by: 'mode', reason: `mode dontAsk: ${said.reason}`, message };
  };
}

async function answer(
  own: OwnPermission,
  call: PermissionCall,
  context: PermissionContext,
  policy: () => Promise<PermissionDecision>,
  timeoutMs: number,
): Promise<PermissionDecision> {
  const { mode, workspace, signal } = context;
  let end = (_why: string): void => {};
  const ended = new Promise<{ readonly late: string }>((resolve) => {
    end = (late) => resolve({ late });
  });
  const timer = setTimeout(() => end(`it took longer than ${timeoutMs} ms`), timeoutMs);
  const stop = () => end('the run was stopped');
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const failed = (why: string): PermissionDecision => ({
    decision: 'ask',
    by: 'policy',
    reason: `the permission function gave no answer: ${why}`,
  });
  try {
    const { tool, args, effect, paths } = call;
    const asked = (async () => ({ said: await own(tool, args, { mode, workspace, effect, paths, signal, policy }) }))();
    const first = await Promise.race([asked, ended]);
    return 'late' in first ? failed(first.late) : read(first.said);
  } catch (thrown) {
    return failed(messageOf(thrown));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** Whatever a program without types may return. */
function read(said: unknown): PermissionDecision {
  const parts = (typeof said === 'object' && said !== null ? said : { decision: said }) as {
    readonly [part: string]: unknown;
  };
  const { decision, reason, message } = parts;
  if (decision !== 'allow' && decision !== 'ask' && decision !== 'deny') {
    return { decision: 'ask', by: 'policy', reason: 'the permission function answered neither allow, ask nor deny' };
  }
  return {
    decision,
    by: 'policy',
    reason: typeof reason === 'string' ? reason : `the permission function says ${decision}`,
    ...(typeof message === 'string' && decision === 'deny' ? { message } : {}),
  };
}
