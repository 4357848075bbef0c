/** What a run that was killed left alive is found again, told, and stopped at the end of the next one. */
import type { Fact, State } from '#kernel';
import type { WritableLedger } from '#ledger';
import type { Place } from './open-workspace-at.ts';

export function leftoverNotices(
  workspace: Place['workspace'],
  ledger: Pick<WritableLedger, 'find'>,
  before: State,
): readonly string[] {
  if (before.executor === null) return [];
  const hooks = ledger.find(['session.start', 'session.complete', 'hook.started', 'hook.ended']);
  const followed = followedAttempts(hooks, before);
  const over: string[] = [];
  const commands = new Set<string>();
  for (const fact of ledger.find(['action.intended', 'hook.started', 'attempt.start'])) {
    // A command that only reads is a process, too.
    if (fact.type === 'action.intended' && fact.tool === 'Bash') commands.add(fact.actionId);
    const isProcess =
      fact.type === 'hook.started' ||
      (fact.type === 'attempt.start' &&
        (fact.effect === 'process' || (fact.effect === 'read' && commands.has(fact.actionId))));
    if (isProcess && !followed.has(fact.attemptId)) over.push(fact.attemptId);
  }
  const left = workspace.processes.takeOver?.(over) ?? [];
  if (left.length === 0) return [];
  return [`the run that was killed left processes behind (${left.join(', ')}); they are stopped when this run ends`];
}

/** Whose end is waited for. A read is none of them: it runs again. */
function followedAttempts(facts: Iterable<Fact>, before: State): ReadonlySet<string> {
  const followed = new Set(before.tasks.map(({ attemptId }) => attemptId));
  for (const { attempt, status, effect } of before.turn?.open ?? []) {
    if (attempt !== null && status === 'started' && effect !== 'read') followed.add(attempt.attemptId);
  }
  const hooks = new Set<string>();
  for (const fact of facts) {
    if (fact.type === 'session.start' || fact.type === 'session.complete') hooks.clear();
    if (fact.type === 'hook.ended') hooks.delete(fact.attemptId);
    // The next run opens, pauses and ends by itself, and asks its own hooks about that.
    const isAskedOnce = fact.type === 'hook.started' && !/^(SessionStart|Stop|Notification):/.test(fact.invocationId);
    if (isAskedOnce) hooks.add(fact.attemptId);
  }
  return new Set([...followed, ...hooks]);
}
