/**
 * What Belay tells the model besides results: each note is made from one fact, so it is the same in every projection.
 * Words of the user are passed on as they are; everything else starts with [Belay].
 */
import type { Fact, FactOf, PermissionMode } from '#kernel';
import { checkList } from './system-prompt.ts';

/** Files named in one note; the rest is counted. */
const filesNamedMax = 20;

const planMode = `Plan mode is on: nothing may be changed and no command runs until a person approves a plan. Read and search, then call ExitPlanMode with the plan (what changes, in which files, how it is checked) and the todos.`;

/** The text for the model, or null where the fact is none of its business (or is told as a result). */
export function noteOf(fact: Fact): string | null {
  switch (fact.type) {
    case 'session.start':
      return fact.goal;
    case 'input.received':
      return fact.text;
    case 'mode.changed':
      return belay(modeNote(fact.mode));
    case 'completion.verdict':
      return fact.accepted ? null : belay(fact.feedback ?? `Not accepted as done: ${fact.reason}`);
    case 'workspace.rebased':
      return belay(rebased(fact));
    case 'workspace.scanned':
      return fact.at === 'resume' ? belay(unsure(fact)) : null;
    case 'boot.changed':
      return belay(rebooted(fact));
    case 'ledger.repaired':
      return belay(
        `The record of this session was damaged and repaired; ${fact.lost === 1 ? '1 entry is' : `${fact.lost} entries are`} lost. Look at the present state before you rely on what was said before.`,
      );
    case 'unknown.settled':
      return belay(settled(fact));
    case 'task.ended':
      return fact.told === true ? null : belay(taskEnded(fact));
    case 'undo.done':
      return undone(fact);
    case 'progress.signal':
      return belay(
        fact.forbid === undefined
          ? `No progress: ${sentence(fact.detail)} Try another way.`
          : `No progress: ${sentence(fact.detail)} That call is not run again; choose another way.`,
      );
    case 'budget.warn':
      return belay(`A limit was reached (${fact.limit}: ${fact.used} of ${fact.max}). Come to the point.`);
    case 'hook.said':
      return belay(`A hook of the user says: ${fact.text}`);
    case 'hook.decided':
      return fact.decision === 'replan' ? belay(`A rule of the user asks for a new plan: ${fact.reason ?? ''}`) : null;
    default:
      return null;
  }
}

/** What the model must know of settings that differ from those its system prompt was made of. */
export function settingsNote(fact: FactOf<'settings.changed'>): string | null {
  const lines: string[] = [];
  if (fact.mode !== undefined) lines.push(modeNote(fact.mode));
  if (fact.checks !== undefined) {
    lines.push(fact.checks.length === 0 ? 'No check is declared any more.' : `Checks now:\n${checkList(fact.checks)}`);
  }
  if (fact.instructions !== undefined) {
    const none = fact.instructions.trim() === '';
    lines.push(
      none ? 'There are no project instructions any more.' : `The project instructions are now:\n${fact.instructions}`,
    );
  }
  return lines.length === 0 ? null : belay(lines.join('\n'));
}

/** The mode at the start, where it asks something special of the model. */
export const startModeNote = (mode: PermissionMode): string | null => (mode === 'plan' ? belay(planMode) : null);

const modeNote = (mode: PermissionMode) => (mode === 'plan' ? planMode : `Permission mode is now ${mode}.`);

function rebased(fact: FactOf<'workspace.rebased'>): string {
  if (fact.fork !== undefined) return forked(fact.changed, fact.fork);
  return `Somebody changed the workspace while the run was stopped: ${namedOr(fact.changed)}. Read what you need again; earlier check results are void.`;
}

function forked(
  changed: readonly string[],
  { worktree, unsure }: NonNullable<FactOf<'workspace.rebased'>['fork']>,
): string {
  const where = worktree
    ? `This session was forked at this point and works in a new worktree; its files are as they were at this point${unsure === undefined ? '' : ', as far as that is known'}${changed.length === 0 ? '' : `, except ${named(changed)}`}.`
    : `This session was forked at this point; the files are as they are now, which may be later than this point. Different from this point: ${changed.length === 0 ? 'none that is known' : named(changed)}.`;
  const maybe =
    unsure === undefined
      ? ''
      : ` What the last commands above had changed is not known exactly, so these may not be as the results say: ${namedOr(unsure)}.`;
  return `${where}${maybe} Read what you need again; earlier check results are void.`;
}

function unsure({ changed = [] }: FactOf<'workspace.scanned'>): string {
  return `The run was killed while something of it was at work. Since the last look at the workspace these changed, and some of it may be by others: ${namedOr(changed)}. Read what you need again; earlier check results are void.`;
}

const namedOr = (paths: readonly string[]): string => (paths.length === 0 ? 'which files is not known' : named(paths));

function rebooted(fact: FactOf<'boot.changed'>): string {
  const calls = fact.unconfirmed.map((actionId) => `call_${actionId}`).join(', ');
  const recent =
    calls === ''
      ? ''
      : ` Succeeded before the power loss, effect not confirmed: ${calls}. Look before you rely on them.`;
  return `The machine was restarted while the run was stopped; earlier check results are void.${recent}`;
}

function taskEnded(fact: FactOf<'task.ended'>): string {
  const why = fact.reason === undefined ? '' : ` (${fact.reason})`;
  const how = {
    exited: `ended with exit code ${fact.exitCode}`,
    'timed-out': 'was stopped at its time limit',
    stopped: 'was stopped',
    'not-started': 'never started; start it again if it is still needed',
    unknown: 'is gone, and how it ended is not known; look at the present state, do not assume either',
  }[fact.status];
  const output = fact.output.trim() === '' ? '' : `\n${fact.output}`;
  return `The background command call_${fact.actionId} ${how}${why}.${output}`;
}

function undone({ scope, restored, refused }: FactOf<'undo.done'>): string | null {
  const lines: string[] = [];
  // Where the conversation went back too, the files are as it tells: there is nothing to say but exceptions.
  if (scope === 'files' && restored.length > 0) {
    lines.push(
      `The user brought files back to an earlier state: ${named(restored)}. Read them again; earlier check results are void.`,
    );
  }
  if (refused.length > 0) {
    lines.push(`These could not be brought back and are as they were: ${named(refused.map(({ path }) => path))}.`);
  }
  return lines.length === 0 ? null : belay(lines.join('\n'));
}

function named(paths: readonly string[]): string {
  const more = paths.length > filesNamedMax ? ` and ${paths.length - filesNamedMax} more` : '';
  return `${paths.slice(0, filesNamedMax).join(', ')}${more}`;
}

function settled(fact: FactOf<'unknown.settled'>): string {
  const what = {
    applied: 'it took effect',
    'not-applied': 'it did not take effect',
    unknown: 'nobody knows whether it took effect; look before you rely on it',
  }[fact.answer];
  const note = fact.note === undefined || fact.note === '' ? '' : ` (${fact.note})`;
  return `About the call whose outcome was unknown (call_${fact.actionId}): ${what}${note}.`;
}

export const belay = (text: string): string => `[Belay] ${text}`;

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
