/** How tools hand a command to the supervisor, and what its end means for the model. */
import { type Failure, type Json, makeFailure, type OutcomeStatus, type Settling } from '#kernel';
import type { PreparedProcess, ProcessResult, SpawnRequest, Workspace } from '#workspace';
import { exitCodeText } from '../text/exit-code.ts';
import { processList } from '../text/process-list.ts';

export type PreparedOr =
  | { readonly ok: true; readonly process: PreparedProcess }
  | { readonly ok: false; readonly failure: Failure };

/** A full disk is thrown on: then nothing of this session can be recorded either, and the run must stop. */
export async function prepareProcess(workspace: Workspace, request: SpawnRequest): Promise<PreparedOr> {
  try {
    return { ok: true, process: await workspace.processes.prepare(request) };
  } catch (error) {
    if (!(error instanceof Error) || codeOf(error) === 'full') throw error;
    const next = nextAfter[codeOf(error) ?? ''] ?? 'Say what is missing.';
    return { ok: false, failure: makeFailure('tool', error.message, next, { blame: 'environment' }) };
  }
}

const nextAfter: { readonly [code: string]: string } = {
  invalid: 'Change the command.',
  closed: 'Give another cwd, such as "." for the workspace root.',
};
const codeOf = (error: Error): string | undefined => (error as Error & { readonly code?: string }).code;

export interface End {
  readonly status: OutcomeStatus;
  /** One line, and below it what the world shows, where the end is not known. */
  readonly line: string;
  readonly failure?: Failure;
  readonly data?: Json;
}

/** How the command ended, without its output. A command that ran is `succeeded` whatever its exit code. */
export function endOf(result: ProcessResult, timeoutMs: number, afterTimeout = nextInTime(timeoutMs)): End {
  switch (result.state) {
    case 'exited':
      return { status: 'succeeded', line: exitLine(result) };
    case 'timed-out': {
      const message = `Stopped after ${timeoutMs / 1000} s: the command did not end in time.`;
      const failure = makeFailure('timeout', message, afterTimeout);
      return { status: 'failed', line: `${message} ${afterTimeout}`, failure, ...stopData(result) };
    }
    case 'cancelled': {
      const message = 'Stopped, because the run was cancelled or ended.';
      const next = 'Part of its effect may have happened: look before you go on.';
      const failure = makeFailure('cancelled', message, next);
      return { status: 'cancelled', line: `${message} ${next}`, failure, ...stopData(result) };
    }
    case 'not-started': {
      const message = 'The command did not start.';
      const failure = makeFailure('cancelled', message, 'Call it again if it is still needed.', {
        blame: 'environment',
      });
      return { status: 'cancelled', line: message, failure };
    }
    case 'unknown': {
      const evidence = result.evidence ?? nothingLeft;
      const [what = '', ...marks] = evidence.split('\n');
      const next = 'Look at the present state; do not assume either.';
      const first = `It is not known how the command ended: ${what}`;
      const line = marks.length === 0 ? `${first} ${next}` : [first, ...marks.map(indented), next].join('\n');
      return { status: 'unknown', line, data: { evidence } };
    }
  }
}

/** Milliseconds that a call may ask for. */
export const timeoutMax = 600_000;

/** A longer limit is proposed only where there is one, and servers and watchers never end in any. */
const nextInTime = (timeoutMs: number): string =>
  timeoutMs < timeoutMax
    ? `Run less at once, give a longer timeout (at most ${timeoutMax} ms), or start what goes on by itself with run_in_background.`
    : 'Run less at once; with Bash what takes longer can be started with run_in_background.';

/** For a command in the background, whose limit is the one that it was given. */
export const nextInBackground = 'If it is still needed, start it again with a longer timeout or without one.';

const nothingLeft = 'Nothing of it is left.';
const indented = (line: string): string => `  ${line}`;

/** How surely everything of a stopped command was found. */
const stopData = (result: ProcessResult): { readonly data?: Json } =>
  result.stopLevel === undefined ? {} : { data: { stopLevel: result.stopLevel } };

/** What a settled process attempt rests on. */
export function settlingOf(result: ProcessResult): Settling {
  if (result.state === 'not-started') {
    return { probe: 'claim', observed: 'free, and revoked now', verdict: 'not-started' };
  }
  if (result.state === 'unknown') {
    const [observed = ''] = (result.evidence ?? nothingLeft).split('\n');
    return { probe: 'process', observed, verdict: 'unknown' };
  }
  const how = result.exitCode === null ? result.state : `${result.state}, exit code ${result.exitCode}`;
  return result.provenance === 'reattached'
    ? { probe: 'process', observed: `it was still running, and was waited for: ${how}`, verdict: 'ended' }
    : { probe: 'receipt', observed: `a receipt of this boot: ${how}`, verdict: 'ended' };
}

function exitLine(result: ProcessResult): string {
  const code = result.exitCode === null ? 'no exit code' : exitCodeText(result.exitCode, result.endedBy);
  const alive =
    result.leftAlive.length === 0 ? '' : `; still running in the background: ${processList(result.leftAlive)}`;
  const whole = result.cut ? '; part of the output was lost' : '';
  return `${code}${stagesText(result)}${alive}${whole}`;
}

/** A pipe has the exit code of its last stage, which hides what happened before. */
function stagesText({ stages }: ProcessResult): string {
  if (stages === undefined || !stages.slice(0, -1).some((code) => code !== 0)) return '';
  const closedEarly = stages.includes(141) ? ' (141: SIGPIPE, its reader had enough)' : '';
  return failedStages(stages) === null && !closedEarly
    ? ''
    : `; stages of the last pipe: ${stages.join(' | ')}${closedEarly}`;
}

/** The stages where one before the last failed by itself; null where none did. */
export const failedStages = (stages: readonly number[] | undefined): string | null =>
  stages?.slice(0, -1).some((code) => code !== 0 && code !== 141) === true ? stages.join(' | ') : null;

export const provenanceOf = (result: ProcessResult): 'live' | 'receipt' | 'reconciled' =>
  result.provenance === 'reattached' ? 'reconciled' : result.provenance;

/** What an undo has to know of the time after a command. */
export const afterwards = ({ endedMs, leftAlive }: ProcessResult): { endedMs?: number; livesOn?: true } => ({
  ...(endedMs === undefined ? {} : { endedMs }),
  ...(leftAlive.length === 0 ? {} : { livesOn: true }),
});
