/**
 * One trial: the real program is killed at an instant and used as a user would use it until the work is done. Then
 * what happened, counted outside, is compared with what was said: to the model in the bodies of its requests, to the
 * user on the screen.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type EffectName, effects, inodeOf } from './effects.ts';
import { type Findings, judge, type Seen } from './judge.ts';
import { type KillKind, kill, processesOf } from './kill.ts';
import { type Ended, execFolders, makePlace, type Place, SESSION, start, textOf } from './place.ts';
import { hasReceipt, isReached, type Point, pointText } from './points.ts';

export interface Plan {
  readonly number: number;
  readonly effect: EffectName;
  readonly kill: KillKind;
  readonly point: Point;
  /** Instants that are tried next, where nobody was killed: it was over before, or the instant passed unseen. */
  readonly spare: readonly Point[];
  /** Whether commands run in the sandbox. */
  readonly confined: boolean;
  /** The next process is killed as well, at the first fact it writes. */
  readonly again: boolean;
  /** Whether the user comes back only after the command has ended. */
  readonly late: boolean;
}

export interface Trial extends Findings {
  readonly plan: Plan;
  /** Somebody whom the plan names really died of it. Where nobody did, it was no trial. */
  readonly killed: boolean;
  /** How often it was drawn again before that. */
  readonly drawnAgain: number;
  /** At the kill there was a claim, and no receipt yet. */
  readonly inWindow: boolean;
  /** From the start of the resume to its first request, or to its end where it makes none; null without a resume. */
  readonly resumeMs: number | null;
  /** Commands of the user that came to an end, with what they printed. */
  readonly ran: Seen['ran'];
  /** The command was still running when the user came back, so that the time contains the rest of it. */
  readonly reattached: boolean;
}

const COMMANDS_MAX = 10;

/** Draws another instant as long as nobody is killed. What does not hold counts in every run. */
export async function runTrial(plan: Plan, program: string): Promise<Trial> {
  const faults: string[] = [];
  const points = [plan.point, ...plan.spare];
  for (const [drawnAgain, point] of points.entries()) {
    const trial = await runOnce({ ...plan, point }, program);
    faults.push(...trial.faults);
    if (trial.killed || drawnAgain === points.length - 1) return { ...trial, drawnAgain, faults };
  }
  throw new Error('there is always a first instant');
}

async function runOnce(plan: Plan, program: string): Promise<Trial> {
  const place = await makePlace(effects[plan.effect], plan.number, plan.confined);
  try {
    return await inPlace(plan, place, program);
  } finally {
    await kill('tree', place, 0);
    await place.remove();
  }
}

async function inPlace(plan: Plan, place: Place, program: string): Promise<Trial> {
  const effect = effects[plan.effect];
  const seen: Seen = { ran: [], asked: 0, approvalsAsked: 0, approvalsLost: 0, hidden: 0, checkHidden: false };
  let points: readonly Point[] = [plan.point];
  let killed = false;
  let died = false;
  let inWindow = false;
  let reattached = false;
  let resumeMs: number | null = null;
  let approved = false;
  let next: readonly string[] | null = runArguments(plan, place);
  for (let count = 0; next !== null && count < COMMANDS_MAX; count++) {
    const [command = ''] = next;
    const before = place.server.requests.length;
    const startedMs = performance.now();
    const run = start(place, program, next);
    const firstSign: Promise<unknown> =
      command === 'resume' ? waitFor(() => place.server.requests.length > before, run.ended) : run.ended;
    void firstSign.then(() => {
      if (killed && command === 'resume') resumeMs ??= performance.now() - startedMs;
    });
    const [point] = points;
    const hit = point !== undefined && (await waitFor(() => isReached(point, { place, effect, command }), run.ended));
    if (!hit) {
      const ended = await run.ended;
      seen.ran.push({ command, ended });
      if (command === 'approve' && ended.code === 0) approved = true;
      next = afterwards(ended, command, approved, seen, effect.count(place));
      continue;
    }
    points = points.slice(1);
    const isLast = killed;
    const hasDied = await kill(isLast ? 'group' : plan.kill, place, run.child.pid ?? 0);
    killed = true;
    if (!isLast) died = hasDied && (plan.kill === 'wrapper' || (await run.ended).signal === 'SIGKILL');
    if (plan.kill === 'wrapper' && !isLast) {
      inWindow = isInWindow(place);
      points = [];
      const ended = await run.ended;
      seen.ran.push({ command, ended });
      next = afterwards(ended, command, approved, seen, effect.count(place));
      continue;
    }
    await run.ended;
    if (!isLast) {
      inWindow = isInWindow(place);
      const hides = plan.kill === 'tree' && isHidden(place);
      if (hides && effect.settles === 'process') seen.hidden++;
      seen.checkHidden = hides && effect.settles === 'check';
      if (plan.again) points = [{ at: 'fact', type: 'executor.attached', n: attachments(place) + 1 }];
    }
    if (plan.late) await reached(() => processesOf(place).length === 0);
    if (!isLast) reattached = processesOf(place).length > 0;
    const inode = inodeOf(effect, place);
    seen.atKill = { ledger: readFileSync(place.ledger, { flag: 'a+' }), inode };
    next = ['resume', SESSION, ...format(plan)];
  }
  return {
    plan,
    killed: died,
    drawnAgain: 0,
    inWindow,
    resumeMs: died ? resumeMs : null,
    reattached,
    ran: seen.ran,
    ...(await judge(effect, place, seen)),
  };
}

/** Half of the trials look at the text for people, half at the object for programs. */
const format = (plan: Plan): readonly string[] => (plan.number % 2 === 0 ? [] : ['--output-format', 'json']);

const runArguments = (plan: Plan, place: Place): readonly string[] => [
  'run',
  'Do it.',
  '--session',
  SESSION,
  '--model',
  place.model,
  ...effects[plan.effect].args,
  ...format(plan),
];

/** What a user does next, who knows the truth and says it when asked. */
function afterwards(
  ended: Ended,
  command: string,
  approved: boolean,
  seen: Seen,
  happened: number,
): readonly string[] | null {
  if (command === 'approve' || command === 'settle') return ['resume', SESSION, '--output-format', 'json'];
  if (ended.code === 10) {
    seen.approvalsAsked++;
    if (approved) seen.approvalsLost++;
    return ['approve', SESSION];
  }
  if (ended.code === 11) {
    seen.asked++;
    const id =
      /belay settle \S+ (\S+)|"action_id":"([^"]+)"/
        .exec(ended.stdout + ended.stderr)
        ?.slice(1)
        .find(Boolean) ?? 'none';
    seen.answered = happened > 0 ? 'applied' : 'not-applied';
    return ['settle', SESSION, id, seen.answered];
  }
  return null;
}

const attachments = (place: Place): number => textOf(place.ledger).split('"executor.attached"').length - 1;

/** A claim was taken, and whoever took it has told no end. */
const isInWindow = (place: Place): boolean =>
  execFolders(place).some((folder) => textOf(path.join(folder, 'claim')) !== '' && !hasReceipt(folder));

/**
 * The command may have begun, and nothing that is left can tell its end. Looked at right after everything died: a
 * claim, no receipt, and no outcome in the ledger.
 */
function isHidden(place: Place): boolean {
  const isTold = textOf(place.ledger).includes('"attempt.outcome"');
  const isOpen = (folder: string) => / \S+\n/.test(textOf(path.join(folder, 'claim'))) && !hasReceipt(folder);
  return !isTold && execFolders(place).some(isOpen);
}

/** Looks again and again, without a pause that could skip an instant. False when the process ended first. */
async function waitFor(isTrue: () => boolean, ended: Promise<unknown>): Promise<boolean> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!over) {
    if (isTrue()) return true;
    await new Promise(setImmediate);
  }
  return false;
}

async function reached(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1));
}

export const planText = (plan: Plan): string =>
  `trial ${plan.number}: ${plan.effect}, ${plan.kill} killed at ${pointText(plan.point)}${plan.again ? ', again' : ''}${plan.late ? ', late' : ''}${plan.confined ? ', in the sandbox' : ''}`;
