/**
 * Runs one hook command as an attempt: recorded, claimed, supervised, recorded. What an earlier run of the session left
 * behind at the same firing is settled first: its end is taken where it is known, a command still running is waited
 * for, and only what is proven not started, or lost with its machine, runs again.
 */
import type { ProcessResult } from '#workspace';
import type { CommandHookPorts, HookEvent, HookFact, HookRun } from '../contract.ts';
import { gates, type HookEnd } from './hook-answer.ts';
import { hookText, printedBy } from './hook-text.ts';

/** What is recorded of an earlier run of this firing. */
export interface Left {
  readonly attemptId: string;
  readonly command: string;
  readonly bootId: string;
  readonly end: HookEnd | null;
}

export async function runHook(ports: CommandHookPorts, run: HookRun, left: Left | undefined): Promise<HookEnd> {
  // Another command under the same name is another hook: the user changed the file meanwhile.
  if (left === undefined || left.command !== run.hook.command) return start(ports, run);
  const end = left.end ?? (await settle(ports, run, left));
  return isAnswer(run.hook.event, end) ? end : start(ports, run);
}

/** What the user interrupted, or what was killed together with its agent, has not answered: a gate asks it again. */
function isAnswer(event: HookEvent, { status }: HookEnd): boolean {
  if (status === 'not-started') return false;
  return !gates.includes(event) || (status !== 'cancelled' && status !== 'unknown');
}

async function start(ports: CommandHookPorts, run: HookRun): Promise<HookEnd> {
  const { hook, invocationId, actionId, input, record } = run;
  const why = (await hook.whyNot?.()) ?? null;
  if (why !== null) return { status: 'withheld', exitCode: null, out: '', errors: why };
  const attemptId = ports.newId();
  const request = {
    ...requestOf(ports, run, attemptId),
    command: hookText(hook.command, input, ports.root, attemptId),
    separate: true,
    // A hook is the user's own program, not the model's.
    unconfined: true,
  };
  const prepared = await ports.processes.prepare(request);
  const started: HookFact = {
    type: 'hook.started',
    invocationId,
    hook: hook.name,
    attemptId,
    command: hook.command,
    ...(actionId === null ? {} : { actionId }),
  };
  try {
    await record([started]);
  } catch (thrown) {
    await prepared.discard();
    throw thrown;
  }
  return recordEnd(ports, run, attemptId, await prepared.start());
}

/** A command of another boot is at-least-once: nobody can say how it ended, and it runs again. */
async function settle(ports: CommandHookPorts, run: HookRun, { attemptId, bootId }: Left): Promise<HookEnd> {
  const result = await ports.processes.settle({ ...requestOf(ports, run, attemptId), bootId });
  const isLost = result.state === 'unknown' && bootId !== (await ports.processes.bootId());
  return recordEnd(ports, run, attemptId, isLost ? { ...result, state: 'not-started' } : result);
}

function requestOf(ports: CommandHookPorts, { hook, actionId, signal }: HookRun, attemptId: string) {
  return {
    cwd: ports.root,
    execFolder: ports.folder(attemptId),
    attemptId,
    actionId: actionId ?? attemptId,
    timeoutMs: hook.timeoutMs,
    signal,
  };
}

async function recordEnd(
  { mask }: CommandHookPorts,
  { invocationId, record }: HookRun,
  attemptId: string,
  result: ProcessResult,
): Promise<HookEnd> {
  // Masked before it counts: a resumed session knows the answer only as it is recorded.
  const end = { status: result.state, exitCode: result.exitCode, ...printedBy(result, mask) };
  const ended: HookFact = {
    type: 'hook.ended',
    attemptId,
    invocationId,
    status: end.status,
    output: end.out,
    ...(end.exitCode === null ? {} : { exitCode: end.exitCode }),
    ...(end.errors === '' ? {} : { errors: end.errors }),
    ...(result.provenance === 'live' ? {} : { provenance: result.provenance }),
  };
  await record([ended]);
  return end;
}
