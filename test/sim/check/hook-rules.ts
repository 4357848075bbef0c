/** What must be true of command hooks: recorded before they run, run once where that can be known, and heard. */
import type { Fact, FactOf } from '#kernel';
import type { HookRun } from '../world.ts';
import type { Oracle } from './oracle.ts';

type HookFact = FactOf<'hook.started'> | FactOf<'hook.ended'> | FactOf<'hook.said'>;

const endOf = (facts: readonly Fact[], attemptId: string): FactOf<'hook.ended'> | undefined =>
  facts.find((fact): fact is FactOf<'hook.ended'> => fact.type === 'hook.ended' && fact.attemptId === attemptId);

/** A hook command has its effect now. */
export function checkHookRun(oracle: Oracle, about: string, { attemptId, boot }: HookRun): void {
  const { facts, world } = oracle;
  if (!facts.some((fact) => fact.type === 'hook.started' && fact.attemptId === attemptId)) {
    oracle.fail(`hook ${about} runs before it is recorded`);
  }
  if (endOf(facts, attemptId)?.status === 'not-started') oracle.fail(`hook ${about} runs after it was given up`);
  // The end of the turn and a prompt are told once for each turn, a call once for all.
  if (!about.startsWith('P')) return;
  for (const earlier of world.hookRuns.get(about) ?? []) {
    const isHidden = earlier.boot !== boot || world.hidden.has(earlier.attemptId) || oracle.diskFailed;
    const status = endOf(facts, earlier.attemptId)?.status;
    const mayRepeat = status === 'cancelled' || wasPausedSince(facts, earlier.attemptId);
    if (!isHidden && !mayRepeat) oracle.fail(`hook ${about} runs twice`);
  }
}

/** A hook that stopped the turn is asked again. */
function wasPausedSince(facts: readonly Fact[], attemptId: string): boolean {
  const at = facts.findIndex((fact) => fact.type === 'hook.started' && fact.attemptId === attemptId);
  return facts.slice(at).some((fact) => fact.type === 'session.pause' && fact.reason.startsWith('hook_'));
}

export function hookFact(oracle: Oracle, fact: HookFact): string[] {
  const before = oracle.facts.slice(0, -1);
  switch (fact.type) {
    case 'hook.started':
      return before.some((one) => one.type === 'hook.started' && one.attemptId === fact.attemptId)
        ? [`hook attempt ${fact.attemptId} starts twice`]
        : [];
    case 'hook.ended': {
      if (endOf(before, fact.attemptId) !== undefined) return [`hook attempt ${fact.attemptId} ends twice`];
      const really = oracle.world.exitOf(fact.attemptId);
      return fact.status === 'exited' && fact.exitCode !== really
        ? [`hook ${fact.attemptId} is said to have exited with ${fact.exitCode}, it was ${really}`]
        : [];
    }
    case 'hook.said':
      return before.some(
        (one) => one.type === 'hook.said' && one.invocationId === fact.invocationId && one.hook === fact.hook,
      )
        ? [`what ${fact.hook} said at ${fact.invocationId} is told twice`]
        : [];
  }
}

/** A call starts only after what its hook answered, and never against it. */
export function startAfterHooks(oracle: Oracle, { actionId }: FactOf<'attempt.start'>): string[] {
  const last = oracle.facts.findLast((fact) => fact.type === 'hook.started' && fact.actionId === actionId);
  if (last?.type !== 'hook.started' || !last.invocationId.startsWith('before_tool_call')) return [];
  const end = endOf(oracle.facts, last.attemptId);
  if (end === undefined) return [`${actionId} starts while its hook has not ended`];
  if (end.exitCode === 2) return [`${actionId} starts although its hook refused it`];
  return end.status === 'cancelled' || end.status === 'unknown'
    ? [`${actionId} starts although its hook ended ${end.status}`]
    : [];
}
