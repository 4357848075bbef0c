/**
 * What the next request must tell the model. The words are looked for as the model reads them; what they must be is taken
 * from the world, from the people, and from facts of others, never from what makes the request.
 */
import type { Fact, FactOf, ModelRequest } from '#kernel';
import { isClosed } from './actions.ts';
import type { Oracle } from './oracle.ts';

/** Changes of others while nobody ran, and restarts, that no request has told yet. */
interface Owed {
  /** Files that somebody changed. */
  readonly changed: Set<string>;
  /** Commands that succeeded right before the power went; null: it did not go. */
  unconfirmed: Set<string> | null;
  /** Notes of either kind in the last request. */
  notesBefore: { changed: number; restarted: number };
}

export const nothingOwed = (): Owed => ({
  changed: new Set(),
  unconfirmed: null,
  notesBefore: { changed: 0, restarted: 0 },
});

const CHANGED = /\[Belay\] [^[]*(?:Somebody changed the workspace|some of it may be by others)[^[]*/g;
const RESTARTED = /\[Belay\] The machine was restarted[^[]*/g;

/** Tries of one request in a row. */
const TRIES_MAX = 6;
/** Runs in a row that may die before somebody is asked to look. */
const CRASHES_MAX = 3;

export function requestRules(oracle: Oracle, request: ModelRequest): string[] {
  const asked = oracle.facts.findLast((fact) => fact.type === 'model.request')?.seq ?? 0;
  const before = oracle.facts.filter(({ seq }) => seq < asked);
  const users = request.messages.flatMap((message) => (message.role === 'user' ? [message.text] : [])).join('\n\n');
  return [
    ...words(before, users),
    ...answers(before, users),
    ...ends(oracle, before, users),
    ...owedNotes(oracle, users),
    ...openQuestions(oracle, before),
    ...inARow(before),
  ];
}

const count = (text: string, part: string): number => text.split(part).length - 1;

/** Words of a person, each said with a number of its own, stand there once. */
function words(before: readonly Fact[], users: string): string[] {
  return before.flatMap((fact) => {
    if (fact.type !== 'input.received') return [];
    const times = count(users, fact.text);
    return times === 1 ? [] : [`the model reads ${times} times what a person said: ${fact.text}`];
  });
}

/** What a person answered about an unknown outcome. */
function answers(before: readonly Fact[], users: string): string[] {
  return before.flatMap((fact) => {
    if (fact.type !== 'unknown.settled') return [];
    const sayings = users.split('\n').filter((line) => line.includes(`call_${fact.actionId})`));
    const isRight = { applied: /: it took effect/, 'not-applied': /did not take effect/, unknown: /nobody knows/ };
    const isWrong = sayings.some((line) => !isRight[fact.answer].test(line));
    return sayings.length > 0 && !isWrong
      ? []
      : [`the model reads of ${fact.actionId}, which a person called ${fact.answer}: ${sayings.join(' ')}`];
  });
}

/** The end of a background command that no result told. */
function ends(oracle: Oracle, before: readonly Fact[], users: string): string[] {
  return before.flatMap((fact) => {
    if (fact.type !== 'task.ended' || fact.told === true) return [];
    const at = users.indexOf(`The background command call_${fact.actionId} `);
    if (at < 0) return [`the model is not told that the background command ${fact.actionId} ended`];
    const [note = ''] = users.slice(at).split('\n\n[Belay]');
    const action = oracle.told.actions.get(fact.actionId);
    const attemptId = action?.task?.attemptId ?? '';
    const code = oracle.world.exitOf(attemptId);
    if (fact.status !== 'exited' || oracle.world.hidden.has(attemptId)) return [];
    const isWhole = note.includes(`exit code ${code}`) && (code !== 0 || note.includes(`did ${action?.token}`));
    return isWhole ? [] : [`the model reads of ${fact.actionId}, which ended with ${code}: ${note}`];
  });
}

function owedNotes({ owed, told }: Oracle, users: string): string[] {
  const changed = users.match(CHANGED) ?? [];
  const restarted = users.match(RESTARTED) ?? [];
  const faults: string[] = [];
  for (const file of owed.changed) {
    const isTold = changed
      .slice(owed.notesBefore.changed)
      .some((note) => note.includes(file) || note.includes('which files is not known'));
    if (!isTold) faults.push(`the model is not told that others changed ${file} while nobody ran`);
  }
  if (owed.unconfirmed !== null) {
    const fresh = restarted.slice(owed.notesBefore.restarted);
    if (fresh.length === 0) faults.push('the model is not told that the machine was restarted');
    for (const actionId of owed.unconfirmed) {
      const action = told.actions.get(actionId);
      // What nobody had brought to the disk may be gone as a whole.
      if (action === undefined || (action.outcome === null && action.task?.end == null)) continue;
      const isTold = fresh.some((note) => note.includes('not confirmed') && note.includes(`call_${actionId}`));
      if (!isTold) faults.push(`the model is not told that ${actionId} is not confirmed after the restart`);
    }
  }
  owed.changed.clear();
  owed.unconfirmed = null;
  owed.notesBefore = { changed: changed.length, restarted: restarted.length };
  return faults;
}

/** Whoever is asked about a call of this turn has answered before the model goes on. */
function openQuestions(oracle: Oracle, before: readonly Fact[]): string[] {
  const start = before.findLast((fact) => fact.type === 'session.start')?.seq ?? 0;
  const answered = new Set(before.flatMap((fact) => (fact.type === 'unknown.settled' ? [fact.actionId] : [])));
  return [...oracle.told.actions.values()]
    .filter(({ outcome }) => outcome?.status === 'unknown' && outcome.seq > start)
    .filter((action) => isClosed(action) && !answered.has(action.actionId))
    .map(({ actionId }) => `the model goes on while nobody has answered what became of ${actionId}`);
}

/** Requests that fail, and runs that die, one after the other. */
function inARow(before: readonly Fact[]): string[] {
  let failed = 0;
  let died = 0;
  let isOpen = false;
  let achieved = true;
  let pausedFor = '';
  for (const fact of before) {
    if (fact.type === 'model.failed') failed++;
    if (['model.response', 'session.pause', 'session.start'].includes(fact.type)) failed = 0;
    if (fact.type === 'executor.attached') {
      died = isOpen && !achieved ? died + 1 : 0;
      isOpen = true;
      achieved = false;
    }
    if (fact.type === 'executor.detached') isOpen = false;
    if (fact.type === 'session.pause') pausedFor = fact.reason;
    if (fact.type === 'session.resume' && pausedFor === 'handoff:crash_loop') died = 0;
    achieved ||= isProgress(fact);
  }
  const faults: string[] = [];
  if (failed >= TRIES_MAX) faults.push(`the model is asked again after ${failed} failures in a row`);
  if (died >= CRASHES_MAX && !achieved) faults.push(`the model is asked after ${died} runs in a row that died at once`);
  return faults;
}

const isProgress = ({ type }: Fact): boolean =>
  type === 'model.response' || type === 'attempt.outcome' || type === 'action.verdict';

/** Commands that are told as successful within the last minute before the power went. */
export function unconfirmedAt(facts: readonly Fact[], boot: string): Set<string> | null {
  const attached = facts.findLast((fact): fact is FactOf<'executor.attached'> => fact.type === 'executor.attached');
  const changed = facts.findLast((fact): fact is FactOf<'boot.changed'> => fact.type === 'boot.changed');
  const last = Math.max(attached?.seq ?? 0, changed?.seq ?? 0);
  if (last === 0 || (last === changed?.seq ? changed.to : attached?.bootId) === boot) return null;
  const endMs = facts.at(-1)?.ts ?? 0;
  const commands = new Set(
    facts.flatMap((fact) => (fact.type === 'action.intended' && fact.tool === 'Bash' ? [fact.actionId] : [])),
  );
  const inBackground = new Set(facts.flatMap((fact) => (fact.type === 'task.started' ? [fact.actionId] : [])));
  return new Set(
    facts.flatMap((fact) => {
      const isEnd =
        (fact.type === 'attempt.outcome' && fact.status === 'succeeded' && !inBackground.has(fact.actionId)) ||
        (fact.type === 'task.ended' && fact.status === 'exited');
      return isEnd && commands.has(fact.actionId) && endMs - fact.ts < 60_000 ? [fact.actionId] : [];
    }),
  );
}
