/** Where the output of a command is read from: its spool while there is one, else what the session recorded of it. */
import type { State, Task } from '#kernel';
import { type OutputPart, readOutput } from '#workspace';
import type { TaskTable } from './task-table.ts';

/** What a session keeps of the output of a call that is over. */
export interface RecordedOutput {
  readonly attemptId: string;
  /** One line: how it ended. */
  readonly end: string;
  read(from: number, bytesMax: number): Promise<OutputPart>;
}
export interface OutputArchive {
  /** Null where no command with this id is recorded as ended. */
  find(actionId: string): Promise<RecordedOutput | null>;
}

export const actionIdOf = (taskId: string): string => taskId.trim().replace(/^call_/, '');

export const runningTask = (state: State, actionId: string): Task | null =>
  state.tasks.find((task) => task.actionId === actionId) ?? null;

/** Output of a task that runs, or whose end is not recorded yet. */
export function readTask(tasks: TaskTable, task: Task, from: number, bytesMax: number): OutputPart {
  return readOutput(tasks.take(task).execFolder, from, bytesMax) ?? { bytes: new Uint8Array(), size: 0 };
}
