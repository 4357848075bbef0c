/** What a run that was killed left alive is found again, told, and stopped at the end of the next one. */
import path from 'node:path';
import type { Fact, State } from '#kernel';
import type { WritableLedger } from '#ledger';
import { attemptTags } from '#workspace';
import type { Place } from './open-workspace-at.ts';

export function leftoverNotices(
  workspace: Place['workspace'],
  ledger: Pick<WritableLedger, 'find' | 'folder'>,
  before: State,
): readonly string[] {
  const left = leftAtWork(workspace, ledger, before);
  if (left.length === 0) return [];
  return [`the run that was killed left processes behind (${left.join(', ')}); they are stopped when this run ends`];
}

/** Living processes of what nobody follows; from now on they are stopped with what this process starts. */
export function leftAtWork(
  { processes }: Place['workspace'],
  ledger: Pick<WritableLedger, 'find' | 'folder'>,
  before: State,
): readonly number[] {
  // An end in order leaves nothing behind; a repair leaves no word of who was at work.
  const isSure = before.executor === null && [...ledger.find(['ledger.repaired'])].length === 0;
  if (isSure) return [];
  const hooks = ledger.find(['session.start', 'session.complete', 'hook.started', 'hook.ended']);
  const followed = followedAttempts(hooks, before);
  const known = new Set<string>();
  const commands = new Set<string>();
  for (const fact of ledger.find(['action.intended', 'hook.started', 'attempt.start'])) {
    // A command that only reads is a process, too.
    if (fact.type === 'action.intended' && fact.tool === 'Bash') commands.add(fact.actionId);
    const isProcess =
      fact.type === 'hook.started' ||
      (fact.type === 'attempt.start' &&
        (fact.effect === 'process' || (fact.effect === 'read' && commands.has(fact.actionId))));
    if (isProcess) known.add(fact.attemptId);
  }
  // Damage can have taken the record of a start; the folder of the attempt still names it.
  const named = ledger.folder === null ? [] : attemptTags(path.join(ledger.folder, 'exec'));
  for (const tag of named) known.add(tag);
  const over = [...known].filter((tag) => !followed.has(tag.split('.', 2).join('.')));
  return processes.takeOver?.(over) ?? [];
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
