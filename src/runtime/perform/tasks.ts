/** Ends of background commands become facts here, each once: the state says which are not recorded yet. */
import type { FactBody, Task } from '#kernel';
import type { Batches, Run, Settler } from '../run.ts';

/** Records what ended since the last look: news for the next model request, and for the gate. */
export async function* recordEndedTasks(run: Run): Batches {
  const { tasks } = run.state();
  if (tasks.length === 0) return;
  const facts = (await run.ports.tasks?.ended(tasks)) ?? [];
  if (facts.length === 0) return;
  yield { facts };
  run.scanWanted = true;
  releaseEnded(run, tasks);
}

/** A batch without ends that were recorded meanwhile: two calls can see the same end at the same time. */
export function unlessRecorded(run: Settler, facts: readonly FactBody[]): readonly FactBody[] {
  const running = new Set(run.state().tasks.map(({ actionId }) => actionId));
  return facts.filter((fact) => {
    if (fact.type === 'task.started') running.add(fact.actionId);
    return fact.type !== 'task.ended' || running.delete(fact.actionId);
  });
}

/** The folder of an attempt goes once its outcome is on disk, that of a background command once its end is. */
export function release(run: Settler, attemptId: string, before: readonly Task[]): void {
  releaseEnded(run, before);
  if (!run.state().tasks.some((task) => task.attemptId === attemptId)) run.finished.add(attemptId);
}

function releaseEnded(run: Settler, before: readonly Task[]): void {
  const running = new Set(run.state().tasks.map(({ actionId }) => actionId));
  for (const task of before) if (!running.has(task.actionId)) run.finished.add(task.attemptId);
}
