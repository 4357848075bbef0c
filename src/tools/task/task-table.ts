/**
 * The commands of a session that go on in the background, as this process follows them.
 *
 * 1. What runs is said by the state, never by this table: it takes up whatever the state names and nobody here follows,
 *    also what another process of this session started. So an end is told once, whoever saw it.
 * 2. A turn that is cancelled stops none of them; `stop` does, and the end of the session.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BodyOf, Task } from '#kernel';
import { messageOf } from '#lib';
import type { ProcessResult, Workspace } from '#workspace';
import { sandboxLines } from '../process/sandbox-lines.ts';
import { processList } from '../text/process-list.ts';
import { shownOutput } from '../text/shown-output.ts';

/** Characters of output in the message that tells an end. */
const TOLD_LENGTH = 4_000;
/** What was taken up gets this long to turn out to be over. */
const TAKE_UP_MS = 250;
export const TASKS_MAX = 8;
const runEnded = 'the run ended';

export interface TaskPorts {
  /** The folder of an attempt. */
  folder(attemptId: string): string;
  /** Keeps a long output durably; returns its name. */
  putBlob(bytes: Uint8Array): Promise<string>;
  mask?(text: string): string;
}

export interface FollowedAttempt {
  readonly actionId: string;
  readonly attemptId: string;
  readonly execFolder: string;
}
export interface Followed {
  readonly execFolder: string;
  readonly end: Promise<ProcessResult>;
  /** Null while it runs. */
  result(): ProcessResult | null;
  /** Stops it and all it started, also what lives on after its end; resolves when that is over. */
  stop(reason: string): Promise<ProcessResult>;
}

export interface TaskTable {
  follow(attempt: FollowedAttempt, end: Promise<ProcessResult>, stop: AbortController): Followed;
  take(task: Task): Followed;
  /** The fact of an end; `told` where a result tells the model. */
  endFact(actionId: string, result: ProcessResult, told: boolean): Promise<BodyOf<'task.ended'>>;
  ended(tasks: readonly Task[]): Promise<readonly BodyOf<'task.ended'>[]>;
  stop(tasks: readonly Task[]): Promise<readonly BodyOf<'task.ended'>[]>;
  /** Stops those that are followed here; their ends stay to be recorded. */
  stopFollowed(): Promise<void>;
}

export function createTaskTable(workspace: Workspace, ports: TaskPorts): TaskTable {
  const followed = new Map<string, Followed>();
  const reasons = new Map<string, string>();

  const follow: TaskTable['follow'] = ({ actionId, attemptId, execFolder }, running, controller) => {
    let result: ProcessResult | null = null;
    const end = running
      .catch((thrown: unknown) => lost(messageOf(thrown), execFolder))
      .then((known) => {
        result = known;
        return known;
      });
    const one: Followed = {
      execFolder,
      end,
      result: () => result,
      async stop(reason) {
        reasons.set(actionId, reason);
        controller.abort();
        const known = await end;
        if (known.leftAlive.length > 0) await workspace.processes.stopLeft([attemptId]);
        return known;
      },
    };
    followed.set(actionId, one);
    return one;
  };

  const take = (task: Task): Followed => {
    const known = followed.get(task.actionId);
    if (known !== undefined) return known;
    const { actionId, attemptId, timeoutMs, cwd } = task;
    const execFolder = ports.folder(attemptId);
    const controller = new AbortController();
    const running = settle();
    return follow({ actionId, attemptId, execFolder }, running, controller);

    async function settle(): Promise<ProcessResult> {
      const bootId = task.bootId ?? (await workspace.processes.bootId());
      const place = cwd === '.' ? workspace.root : `${workspace.root}/${cwd}`;
      const request = { cwd: place, execFolder, attemptId, actionId, timeoutMs, bootId, signal: controller.signal };
      return workspace.processes.settle(request);
    }
  };

  const endFact: TaskTable['endFact'] = async (actionId, result, told) => {
    const shown = shownOutput(result.output, TOLD_LENGTH, ports.mask, result.outputBytes);
    const blob = shown.omitted > 0 ? await ports.putBlob(result.output) : null;
    const reason = reasonOf(result, reasons.get(actionId));
    const rest = blob === null ? '' : `\n(all of it: TaskOutput with task_id call_${actionId} and an offset)`;
    return {
      type: 'task.ended',
      actionId,
      status: result.state === 'cancelled' ? 'stopped' : result.state,
      output: [`${shown.text}${rest}`, ...sandboxLines(result, shown.text)].filter((line) => line !== '').join('\n'),
      outputBytes: result.outputBytes,
      ...(result.state !== 'exited' || result.exitCode === null ? {} : { exitCode: result.exitCode }),
      ...(blob === null ? {} : { blob }),
      ...(reason === undefined ? {} : { reason }),
      ...(told ? { told } : {}),
    };
  };

  return {
    follow,
    take,
    endFact,
    async ended(tasks) {
      for (const [actionId, one] of followed) {
        if (one.result() !== null && !tasks.some((task) => task.actionId === actionId)) followed.delete(actionId);
      }
      const isNew = tasks.some(({ actionId }) => !followed.has(actionId));
      const all = tasks.map((task) => ({ task, one: take(task) }));
      if (isNew) await Promise.race([Promise.all(all.map(({ one }) => one.end)), sleep(TAKE_UP_MS)]);
      const facts: BodyOf<'task.ended'>[] = [];
      for (const { task, one } of all) {
        const result = one.result();
        if (result !== null) facts.push(await endFact(task.actionId, result, false));
      }
      return facts;
    },
    async stop(tasks) {
      const all = tasks.map((task) => ({ task, one: take(task) }));
      return Promise.all(all.map(async ({ task, one }) => endFact(task.actionId, await one.stop(runEnded), false)));
    },
    async stopFollowed() {
      await Promise.all([...followed.values()].map((one) => one.stop(runEnded)));
    },
  };
}

/** `stopped`: why it was asked to stop, if it was. What ended before that was not ended by it. */
function reasonOf(result: ProcessResult, stopped: string | undefined): string | undefined {
  if (result.state === 'unknown') {
    const [what, ...marks] = result.evidence?.split('\n') ?? [];
    return what === undefined ? undefined : [what.replace(/\.$/, ''), ...marks].join('; ');
  }
  if (result.state === 'cancelled') return stopped;
  const wasLeft = result.leftAlive.length > 0 || result.stopLevel !== undefined;
  if (stopped !== undefined && wasLeft) return `what it had left running was stopped: ${stopped}`;
  return result.leftAlive.length === 0 ? undefined : `still alive of it: ${processList(result.leftAlive)}`;
}

/** Following it failed: nothing is known, and that is what is told. */
const lost = (evidence: string, spoolPath: string): ProcessResult => ({
  state: 'unknown',
  exitCode: null,
  output: new Uint8Array(),
  outputBytes: 0,
  omitted: null,
  cut: true,
  consistent: false,
  provenance: 'live',
  spoolPath,
  evidence,
  leftAlive: [],
});
