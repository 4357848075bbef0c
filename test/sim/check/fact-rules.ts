/** What must be true of the world, and of the state before, at the moment a fact is recorded. */
import type { Fact, FactOf, State } from '#kernel';
import { theVolume } from '../os/the-volume.ts';
import { KEY_LIFETIME_MS, WORKSPACE } from '../world.ts';
import { isClosed } from './actions.ts';
import { hookFact, startAfterHooks } from './hook-rules.ts';
import type { Oracle } from './oracle.ts';
import { hasEffect } from './oracle.ts';

/** From the look at the clock to the fact. */
const ON_ITS_WAY_MS = 100;

export function checkFact(oracle: Oracle, before: State, fact: Fact): string[] {
  switch (fact.type) {
    case 'attempt.outcome':
      return [...outcome(oracle, fact), ...unknown(oracle, fact)];
    case 'attempt.start':
      return [
        ...(before.turn?.cancelled === true ? [`${fact.attemptId} starts after the turn was cancelled`] : []),
        ...startAfterHooks(oracle, fact),
      ];
    case 'task.ended':
      return taskEnded(oracle, fact);
    case 'hook.started':
    case 'hook.ended':
    case 'hook.said':
      return hookFact(oracle, fact);
    case 'completion.verdict':
      return verdict(oracle, before, fact);
    case 'todo.updated':
      return todos(oracle, before, fact);
    case 'budget.warn':
      return budget(oracle, fact);
    case 'hook.failed':
    case 'hook.decided':
      oracle.thrown.delete(fact.invocationId);
      return [];
    case 'action.verdict':
      oracle.thrown.delete(`before_tool_call:${fact.actionId}`);
      return [
        ...(fact.verdict === 'allow' && fact.by === 'person' && !oracle.granted.approved.has(fact.actionId)
          ? [`${fact.actionId} is allowed in the name of a person who never approved it`]
          : []),
        ...(fact.verdict === 'allow' ? withinLimits(oracle, 'tool_calls') : []),
      ];
    case 'model.response':
      return withinLimits(oracle, 'rounds');
    case 'attempt.revoked':
      return revoked(oracle, fact);
    case 'session.complete':
      return completed(oracle, fact);
    case 'approval.requested':
    case 'action.intended':
      oracle.seenBefore(fact.actionId);
      return [];
    default:
      return [];
  }
}

function completed(oracle: Oracle, fact: FactOf<'session.complete'>): string[] {
  const actions = [...oracle.told.actions.values()];
  const answered = oracle.facts.flatMap((one) => (one.type === 'unknown.settled' ? [one.actionId] : []));
  const isMet = fact.reason === 'goal_met';
  return [
    ...actions.filter((one) => !isClosed(one)).map((one) => `the turn ends while ${one.actionId} is open`),
    ...actions
      .filter((one) => isMet && one.outcome?.status === 'unknown' && !answered.includes(one.actionId))
      .map((one) => `the goal is met although nobody has answered what became of ${one.actionId}`),
  ];
}

/** A key is sent again only as long as the service keeps it, counted from the first try that may have sent it. */
function revoked(oracle: Oracle, fact: FactOf<'attempt.revoked'>): string[] {
  const isKeyed = oracle.told.actions.get(fact.actionId)?.intended.effect === 'keyed';
  if (!isKeyed || fact.settling?.verdict !== 'repeatable') return [];
  const idle = oracle.facts.flatMap((one) =>
    one.type === 'attempt.revoked' && one.settling?.verdict === 'not-started' ? [one.attemptId] : [],
  );
  const first = oracle.facts.find(
    (one) => one.type === 'attempt.start' && one.actionId === fact.actionId && !idle.includes(one.attemptId),
  );
  const ageMs = fact.ts - (first?.ts ?? 0);
  return ageMs > KEY_LIFETIME_MS + ON_ITS_WAY_MS ? [`the key of ${fact.actionId} is sent again after ${ageMs} ms`] : [];
}

function outcome(oracle: Oracle, fact: FactOf<'attempt.outcome'>): string[] {
  const { world } = oracle;
  const action = oracle.told.actions.get(fact.actionId);
  if (action === undefined) return [];
  const faults: string[] = [];
  const start = action.starts.find((one) => one.attemptId === fact.attemptId);
  if (fact.provenance === 'receipt' && fact.status === 'succeeded' && start?.boot !== oracle.machine.bootId) {
    faults.push(`the receipt of ${fact.attemptId} is of another boot and is believed`);
  }
  const really = fact.attemptId === undefined ? undefined : world.exitOf(fact.attemptId);
  const isBackground = JSON.stringify(action.intended.args).includes('run_in_background');
  if (action.intended.tool === 'Bash' && fact.status === 'succeeded' && !isBackground && really !== fact.exitCode) {
    faults.push(`${fact.attemptId} is said to have exited with ${fact.exitCode}, but it was ${really}`);
  }
  if (action.token === null || !hasEffect(action)) return faults;
  const count = world.count(action.token);
  const claims = fact.status === 'succeeded' && (fact.exitCode ?? 0) === 0 && !isBackground;
  if (claims && action.intended.effect === 'file' && !isOnDisk(fact, action.token)) {
    faults.push(`${action.token} is reported as done before it is on disk`);
  }
  if (claims && count === 0) faults.push(`${action.token} is reported as done and has not happened`);
  return faults;
}

function taskEnded(oracle: Oracle, fact: FactOf<'task.ended'>): string[] {
  const { world } = oracle;
  const action = oracle.told.actions.get(fact.actionId);
  const attemptId = action?.task?.attemptId ?? '';
  const start = action?.starts.find((one) => one.attemptId === attemptId);
  const really = world.exitOf(attemptId);
  const isSameBoot = start?.boot === oracle.machine.bootId;
  switch (fact.status) {
    case 'exited':
      if (!isSameBoot) return [`the end of ${attemptId} is of another boot and is believed`];
      return really === fact.exitCode
        ? []
        : [`${attemptId} is said to have exited with ${fact.exitCode}, it was ${really}`];
    case 'not-started':
      return really === undefined && isSameBoot ? [] : [`${attemptId} is said never to have started`];
    case 'unknown':
      return !isSameBoot || oracle.diskFailed || world.hidden.has(attemptId)
        ? []
        : [`the end of ${attemptId} is said to be unknown, but its receipt was there`];
    case 'stopped':
      return isSameBoot && !oracle.diskFailed && (world.toldAt.get(attemptId) ?? Infinity) < oracle.openedAt
        ? [`${attemptId} is said to have been stopped, but had told its end before`]
        : [];
    default:
      return [];
  }
}

function isOnDisk(fact: FactOf<'attempt.outcome'>, token: string): boolean {
  return (fact.files ?? []).every(({ path }) => {
    const content = theVolume().durable(`${WORKSPACE}/${path}`)?.toString('utf8') ?? '';
    return content.includes(token);
  });
}

/** A question is asked only where the world hides the answer. */
function unknown(oracle: Oracle, fact: FactOf<'attempt.outcome'>): string[] {
  if (fact.status !== 'unknown' || oracle.diskFailed || fact.attemptId === undefined) return [];
  const { world } = oracle;
  const action = oracle.told.actions.get(fact.actionId);
  const start = action?.starts.find((one) => one.attemptId === fact.attemptId);
  if (start?.boot !== oracle.machine.bootId) return [];
  switch (action?.intended.effect) {
    case 'process':
      return world.hidden.has(fact.attemptId) ? [] : [`${fact.attemptId} is asked about, but its receipt was there`];
    case 'opaque':
      return world.claimed.has(fact.attemptId) || world.hidden.has(fact.attemptId)
        ? []
        : [`${fact.attemptId} is asked about, but it never claimed`];
    case 'file':
      return world.outsideChanges > 0 ? [] : [`${fact.attemptId} is asked about, but the file tells it`];
    case 'keyed':
      // Given up after a try that may have reached the service.
      return action.starts.length > 1 || isOld(oracle, start.seq)
        ? []
        : [`${fact.attemptId} (keyed) is asked about, but it was never sent before`];
    default:
      return world.unanswered.has(fact.actionId)
        ? []
        : [`${fact.attemptId} (${action?.intended.effect}) is asked about, but the service tells it`];
  }
}

const isOld = ({ facts, machine }: Oracle, seq: number): boolean =>
  machine.nowMs - (facts[seq - 1]?.ts ?? 0) > KEY_LIFETIME_MS - ON_ITS_WAY_MS;

function verdict(oracle: Oracle, before: State, fact: FactOf<'completion.verdict'>): string[] {
  if (!fact.accepted) return [];
  const faults: string[] = [];
  if (before.unknowns.some((one) => one.answer === null)) faults.push('accepted while an outcome is unknown');
  const { hasCheck } = oracle.granted;
  if (hasCheck && !oracle.passingAtScan) faults.push('accepted although the check does not pass');
  if (hasCheck && fact.verified !== true) faults.push('accepted without evidence');
  if (hasCheck) faults.push(...checkRan(oracle));
  return faults;
}

/** The check really passed, on this machine, with the files as the last look found them, and with no test less. */
function checkRan({ world, machine, facts, manifestAtScan }: Oracle): string[] {
  const good = world.checkRuns.filter(({ passed, boot }) => passed && boot === machine.boot);
  if (good.length === 0) return ['accepted although the check never passed since the machine was started'];
  if (!good.some(({ manifest }) => manifest === manifestAtScan))
    return ['accepted although the check never passed with these files'];
  const agreed = facts.findLastIndex(
    (fact, i) => fact.type === 'session.resume' && pauseBefore(facts, i) === 'handoff:unverified',
  );
  const counts = facts.flatMap((fact, i) =>
    fact.type === 'evidence.recorded' && fact.counts != null
      ? [{ i, run: fact.counts.passed + fact.counts.failed }]
      : [],
  );
  const agreedTo = counts.findLast(({ i }) => i < agreed)?.run ?? 0;
  const most = Math.max(agreedTo, ...counts.filter(({ i }) => i > agreed).map(({ run }) => run));
  const last = counts.at(-1)?.run ?? 0;
  return last < most ? [`accepted with ${last} tests, ${most} were run before`] : [];
}

function pauseBefore(facts: readonly Fact[], index: number): string {
  const pause = facts.slice(0, index).findLast((fact) => fact.type === 'session.pause');
  return pause?.type === 'session.pause' ? pause.reason : '';
}

function todos(oracle: Oracle, before: State, fact: FactOf<'todo.updated'>): string[] {
  const evidence = (list: State['todos']) =>
    list.flatMap((todo) => (todo.status === 'completed' ? (todo.evidence ?? []) : []));
  // What was completed earlier was judged then; how a command in the background ended since does not undo it.
  const carried = new Set(evidence(before.todos));
  return evidence(fact.todos)
    .filter((actionId) => !carried.has(actionId))
    .flatMap((actionId) => {
      const action = oracle.told.actions.get(actionId);
      const attempt = action?.outcome?.attemptId ?? '';
      // Of a command in the background only its recorded end can be known.
      const isRunning = action?.task !== null && action?.task?.end === null;
      const code = isRunning ? 0 : (oracle.world.exitOf(attempt) ?? 0);
      return code === 0 ? [] : [`a todo is completed by ${actionId}, which exited with ${code}`];
    });
}

function budget(oracle: Oracle, fact: FactOf<'budget.warn'>): string[] {
  const counted = usedSince(oracle)[fact.limit];
  return counted === undefined || counted === fact.used
    ? []
    : [`budget ${fact.limit} says ${fact.used}, but ${counted} were used`];
}

/** Nothing is used beyond what was given. */
function withinLimits(oracle: Oracle, limit: 'rounds' | 'tool_calls'): string[] {
  const { maxRounds, maxToolCalls } = oracle.granted.limits;
  const most = limit === 'rounds' ? maxRounds : maxToolCalls;
  const used = usedSince(oracle)[limit] ?? 0;
  return most !== undefined && used > most ? [`${used} ${limit} are used, ${most} were given`] : [];
}

/** Counts what was used since the allowance began, from the facts alone. */
function usedSince({ facts, told }: Oracle): { readonly [limit: string]: number } {
  let from = 0;
  let pausedFor = '';
  facts.forEach((one, i) => {
    if (one.type === 'session.start') from = i;
    if (one.type === 'session.pause') pausedFor = one.reason;
    if (one.type === 'session.resume' && pausedFor.startsWith('budget_exceeded:')) from = i;
  });
  const since = facts.slice(from);
  const free = (actionId: string) => told.actions.get(actionId)?.intended.free === true;
  return {
    rounds: since.filter((one) => one.type === 'model.response').length,
    tool_calls: since.filter((one) => one.type === 'action.verdict' && one.verdict === 'allow' && !free(one.actionId))
      .length,
  };
}
