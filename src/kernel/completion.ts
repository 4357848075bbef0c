/**
 * Completion is a verdict, not a sentence. A claim (an answer without tool calls) is accepted only when every
 * declared check passed at the present tree of the workspace, nothing is open, and no outcome is unknown.
 *
 * A check that passes with fewer tests than it once ran is not accepted: tests were deleted or skipped. Whoever
 * resumes the hand-off that follows agrees to the smaller number.
 *
 * A command that runs in the background is asked about once: the model waits for it, stops it, or claims again, which
 * says that nothing depends on its end (a server has none). A list of steps cannot be asked.
 *
 * The ladder without a change of the workspace in between: first claim → the model is asked; second → the declared
 * checks are run by Belay and their result decides; third → the turn is handed off.
 */
import type { BodyOf, Check, TestCounts } from './facts.ts';
import type { Evidence, State, Task } from './state.ts';

export type CompletionReason =
  | 'verified'
  | 'no_checks'
  | 'missing_evidence'
  | 'check_failed'
  | 'tests_weakened'
  | 'tasks_running'
  | 'unknown_outcome';

/** Nothing speaks against the claim, but commands run in the background and the model did not say that it knows. */
export const tasksRunning = 'tasks_running' satisfies CompletionReason;

export interface CheckStanding {
  readonly check: Check;
  readonly evidence: Evidence | null;
  readonly standing: 'passed' | 'weakened' | 'failed' | 'expired' | 'missing';
}

/** How each declared check stands at `tree`. Expired stays expired, even if the tree came back. */
export function standings(state: State, tree: string | null): readonly CheckStanding[] {
  return state.settings.checks.map((check) => {
    const evidence = state.evidence.find((candidate) => candidate.check === check.command) ?? null;
    if (evidence === null) return { check, evidence, standing: 'missing' };
    const current = evidence.seq > state.world.changedAt && evidence.tree === tree && evidence.stable;
    if (!current) return { check, evidence, standing: 'expired' };
    if (!evidence.passed) return { check, evidence, standing: 'failed' };
    return { check, evidence, standing: testsRun(evidence.counts) < evidence.mostRun ? 'weakened' : 'passed' };
  });
}

/** Tests that were executed; skipped ones prove nothing. */
export const testsRun = (counts: TestCounts | null): number => (counts === null ? 0 : counts.passed + counts.failed);

/** The verdict on the present claim, as the fact to record. `tree` is what a scan found just now. */
export function judge(state: State, tree: string | null): BodyOf<'completion.verdict'> {
  const base = { type: 'completion.verdict' as const, ...(tree === null ? {} : { tree }) };
  const open = state.unknowns.filter((unknown) => unknown.answer === null);
  if (open.length > 0) {
    const reason: CompletionReason = 'unknown_outcome';
    return { ...base, accepted: false, verified: false, reason };
  }
  const notes = notesOf(state);
  const extra = notes.length === 0 ? {} : { notes };
  const unasked = state.turn?.plan?.origin === 'list' ? [] : state.tasks.filter((task) => !task.wasAskedAbout);
  const running = { ...base, accepted: false, verified: false, reason: tasksRunning, feedback: taskQuestion(unasked) };
  if (state.settings.checks.length === 0) {
    if (unasked.length > 0) return running;
    const reason: CompletionReason = 'no_checks';
    return { ...base, accepted: true, verified: null, reason, ...extra };
  }
  const found = standings(state, tree);
  const evidence = found.flatMap((item) => (item.evidence === null ? [] : [item.evidence.seq]));
  const bad = found.filter((item) => item.standing !== 'passed');
  if (bad.length === 0) {
    if (unasked.length > 0) return running;
    const reason: CompletionReason = 'verified';
    return { ...base, accepted: true, verified: true, reason, evidence, ...extra };
  }
  const reason = reasonOf(bad);
  return { ...base, accepted: false, verified: false, reason, evidence, feedback: feedbackOf(bad), ...extra };
}

function reasonOf(bad: readonly CheckStanding[]): CompletionReason {
  if (bad.some((item) => item.standing === 'failed')) return 'check_failed';
  return bad.some((item) => item.standing !== 'weakened') ? 'missing_evidence' : 'tests_weakened';
}

function notesOf(state: State): string[] {
  const notes: string[] = [];
  const left = state.todos.filter((todo) => todo.status !== 'completed');
  if (left.length > 0) notes.push(`todos not completed: ${left.map((todo) => todo.content).join('; ')}`);
  for (const unknown of state.unknowns) notes.push(`outcome of ${unknown.tool} ${unknown.actionId}: ${unknown.answer}`);
  for (const task of state.tasks) notes.push(`still running in the background: ${task.command}`);
  return notes;
}

function taskQuestion(tasks: readonly Task[]): string {
  const lines = tasks.map(({ actionId, command }) => `- call_${actionId}: \`${command}\``);
  return `Still running in the background:\n${lines.join('\n')}\nIf the work needs its end, wait with TaskOutput; else stop it with TaskStop, or answer again: what runs is stopped when the run ends.`;
}

function feedbackOf(bad: readonly CheckStanding[]): string {
  const lines = bad.map(({ check, evidence, standing }) => {
    switch (standing) {
      case 'missing':
        return `- \`${check.command}\` was never run.`;
      case 'expired':
        return `- \`${check.command}\` ran before the last change; that result has expired.`;
      case 'weakened':
        return `- \`${check.command}\` passes, but it ran ${testsRun(evidence?.counts ?? null)} tests where it ran ${evidence?.mostRun} before. Bring the missing tests back; only a person can agree to fewer.`;
      default:
        return `- \`${check.command}\` fails${evidence?.reason ? `: ${evidence.reason}` : ` (exit ${evidence?.exitCode})`}.`;
    }
  });
  const next = bad.some((item) => item.standing === 'failed' || item.standing === 'weakened')
    ? 'Fix the cause, run the check again with Test, and answer when it passes.'
    : 'Run it now with the Test tool, and answer when it passes.';
  return `Not accepted as done yet. What is missing:\n${lines.join('\n')}\n${next}`;
}
