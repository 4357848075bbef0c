/**
 * What a hook's end means. Exit code 0: the JSON on standard output, if there is any, decides. Exit code 2: refused,
 * for the reason on standard error. Anything else, a decision that is not understood among it: the hook itself failed.
 */
import type { Json } from '#kernel';
import { messageOf } from '#lib';
import type { HookEvent } from '../contract.ts';

export interface HookEnd {
  /** `withheld`: it must not start; `errors` says why. */
  readonly status: 'exited' | 'timed-out' | 'cancelled' | 'not-started' | 'unknown' | 'withheld';
  readonly exitCode: number | null;
  readonly out: string;
  readonly errors: string;
}

export type HookAnswer =
  | { readonly kind: 'go'; readonly input?: Json; readonly say?: string }
  /** Refused. */
  | { readonly kind: 'block'; readonly reason: string; readonly say?: string }
  /** A person is to decide about this call, as it is with `input`. */
  | { readonly kind: 'ask'; readonly reason: string; readonly input?: Json; readonly say?: string }
  /** The turn is to stop for a person. */
  | { readonly kind: 'stop'; readonly reason: string; readonly say?: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Events at which something waits for the answer. Without one nobody may go on. */
export const gates: readonly HookEvent[] = ['PreToolUse', 'UserPromptSubmit', 'SessionStart'];

/** Events at which printed text that is no JSON is meant for the model. */
const plainSpeakers: readonly HookEvent[] = ['SessionStart', 'UserPromptSubmit'];

export function hookAnswer(event: HookEvent, end: HookEnd): HookAnswer {
  if (end.status === 'withheld') return { kind: 'failed', reason: end.errors };
  // A refusal that came together with the time limit is one.
  if (end.status === 'timed-out' && end.exitCode !== 2) {
    return { kind: 'failed', reason: 'it was stopped at its time limit' };
  }
  if (end.status === 'unknown' && gates.includes(event)) {
    return { kind: 'block', reason: 'nobody knows how this hook ended, so it has not answered. Try again' };
  }
  if ((end.status !== 'exited' && end.status !== 'timed-out') || end.exitCode === null) {
    return { kind: 'failed', reason: `its end is ${end.status}` };
  }
  if (end.exitCode === 2) return { kind: 'block', reason: reasonOf(end.errors, 'refused without a reason') };
  if (end.exitCode !== 0) {
    return { kind: 'failed', reason: reasonOf(end.errors, `exit code ${end.exitCode}`) };
  }
  const text = end.out.trim();
  if (text === '') return { kind: 'go' };
  if (!text.startsWith('{')) {
    const behind = answerBehind(text);
    if (behind !== null) return fromJson(behind);
    return plainSpeakers.includes(event) ? { kind: 'go', say: text } : { kind: 'go' };
  }
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (thrown) {
    return { kind: 'failed', reason: `its answer is no JSON: ${messageOf(thrown)}` };
  }
  return fromJson(answer as Dict);
}

type Dict = { readonly [key: string]: unknown };

/** Beginnings that are tried. */
const behindMax = 50;

/** An answer behind lines that something else printed, such as a tool manager at its start; null where there is none. */
function answerBehind(text: string): Dict | null {
  for (
    let at = text.indexOf('\n{'), tries = 0;
    at >= 0 && tries < behindMax;
    at = text.indexOf('\n{', at + 1), tries++
  ) {
    try {
      const found = JSON.parse(text.slice(at)) as Dict;
      return ['hookSpecificOutput', 'decision', 'permissionDecision', 'continue'].some((key) => key in found)
        ? found
        : null;
    } catch {
      // Not here, or it goes on with something else.
    }
  }
  return null;
}

/** Those that change nothing: a hook cannot widen what is permitted. */
const passing: readonly unknown[] = ['allow', 'approve', 'defer'];

function fromJson(answer: Dict): HookAnswer {
  const specific = (answer['hookSpecificOutput'] ?? {}) as Dict;
  const context = textOf(specific['additionalContext']);
  const say = context === null ? {} : { say: context };
  const reason =
    textOf(specific['permissionDecisionReason']) ??
    textOf(answer['permissionDecisionReason']) ??
    textOf(answer['reason']);
  const said = specific['permissionDecision'] ?? answer['permissionDecision'] ?? answer['decision'] ?? null;
  const decision = typeof said === 'string' ? said.toLowerCase() : said;
  if (answer['continue'] === false) {
    return { kind: 'stop', reason: textOf(answer['stopReason']) ?? reason ?? 'a hook stops here', ...say };
  }
  if (decision === 'deny' || decision === 'block') {
    return { kind: 'block', reason: reason ?? 'refused without a reason', ...say };
  }
  const updated = specific['updatedInput'];
  const input = updated === undefined ? {} : { input: updated as Json };
  if (decision === 'ask') return { kind: 'ask', reason: reason ?? 'a hook asks for a person', ...input, ...say };
  if (decision !== null && !passing.includes(decision)) {
    return {
      kind: 'failed',
      reason: `its decision ${JSON.stringify(said)} is not understood; those are deny, ask and allow`,
    };
  }
  return { kind: 'go', ...input, ...say };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);
const reasonOf = (text: string, otherwise: string): string => (text.trim() === '' ? otherwise : text.trim());
