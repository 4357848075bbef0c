/** What is recorded of an attempt that is over, and what an attempt is told of itself. */
import type { Attachment, BodyOf, FactBody, OpenAction, State } from '#kernel';
import type { ToolAttempt, ToolResult } from '../contract.ts';
import { type Settler, turnOf } from '../run.ts';

/** The receipt of an attempt, with the facts that came of it, as one batch. */
export async function outcomeFacts(
  run: Settler,
  actionId: string,
  attemptId: string,
  result: ToolResult,
): Promise<readonly FactBody[]> {
  const blob = result.full === undefined ? null : await run.ports.ledger.putBlob(result.full);
  const attachments: Attachment[] = [];
  for (const { path, mediaType, content } of result.attachments ?? []) {
    attachments.push({ path, mediaType, bytes: content.byteLength, blob: await run.ports.ledger.putBlob(content) });
  }
  const outcome: BodyOf<'attempt.outcome'> = {
    type: 'attempt.outcome',
    actionId,
    attemptId,
    status: result.status,
    output: result.output,
    ...(result.data === undefined ? {} : { data: result.data }),
    ...(blob === null ? {} : { blob }),
    ...(attachments.length === 0 ? {} : { attachments }),
    ...(result.failure === undefined ? {} : { failure: result.failure }),
    ...(result.files === undefined ? {} : { files: result.files }),
    ...(result.seen === undefined ? {} : { seen: result.seen }),
    ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
    ...(result.cwd === undefined ? {} : { cwd: result.cwd }),
    ...(result.provenance === undefined || result.provenance === 'live' ? {} : { provenance: result.provenance }),
    ...(result.settling === undefined ? {} : { settling: result.settling }),
    ...(result.endedMs === undefined ? {} : { endedMs: result.endedMs }),
    ...(result.livesOn === undefined ? {} : { livesOn: result.livesOn }),
  };
  return [outcome, ...(result.facts ?? [])];
}

export function context(run: Settler, action: OpenAction, attemptId: string): ToolAttempt {
  return {
    actionId: action.actionId,
    attemptId,
    signal: run.signal,
    state: run.state,
    execFolder: run.ports.exec?.folder(attemptId) ?? '',
    bootId: (action.attempt?.attemptId === attemptId ? action.attempt.bootId : null) ?? run.ports.bootId,
    onOutput: (text) => run.emit({ kind: 'output', actionId: action.actionId, text }),
  };
}

export const opened = (run: Settler, actionIds: readonly string[]): readonly OpenAction[] =>
  openedIn(run.state(), actionIds);

export function openedIn(state: State, actionIds: readonly string[]): readonly OpenAction[] {
  const wanted = new Set(actionIds);
  return turnOf(state).open.filter((open) => wanted.has(open.actionId));
}

/** Too little space for a command's output is the session's concern, not an error for the model. */
export const isStoreFull = (thrown: unknown): boolean =>
  typeof thrown === 'object' &&
  thrown !== null &&
  'code' in thrown &&
  (thrown.code === 'full' || thrown.code === 'ENOSPC');
