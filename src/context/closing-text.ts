/**
 * What a call's result says where the tool itself said nothing: the call was refused, skipped, cancelled, or its end
 * is not known. Each text is true at the moment it is shown and names the next step.
 */
import type { Attachment, BodyOf, Failure } from '#kernel';

export interface ResultText {
  readonly text: string;
  readonly isError: boolean;
  readonly attachments?: readonly Attachment[];
}

/** A call that no fact has closed yet: only seen when a conversation is cut here. */
export const openCall: ResultText = {
  text: 'This call has no result: the run stopped before it ended. Look at the present state before you rely on it.',
  isError: true,
};

/** A call whose end may be among facts that damage took. */
export const lostCall: ResultText = {
  text: 'The record of what this call came to was lost. It may have succeeded, failed or not run. Look at the present state before you rely on it.',
  isError: true,
};

export const ofProblem = (problem: Failure): ResultText => ({
  text: sentence(problem.message, problem.suggestedAction),
  isError: true,
});

/** The result of a call that its verdict closes; null for `allow`, which closes nothing. */
export function ofVerdict(verdict: BodyOf<'action.verdict'>, note: string | null): ResultText | null {
  if (verdict.verdict === 'allow') return null;
  const said = verdict.message ?? '';
  const why = reasonOf(verdict.reason);
  // The runtime's own message of a denial holds the words already.
  const words = note?.trim() ?? '';
  const person = words === '' || said.includes(words) ? '' : ` They said: ${words}`;
  switch (verdict.verdict) {
    case 'deny': {
      const who = verdict.by === 'person' ? 'A person denied this call.' : `This call is not permitted${why}.`;
      const text = said === '' ? `${who} Do not try it again; go another way or say what is blocked.` : said;
      return { text: text + person, isError: true };
    }
    case 'abort':
      return {
        text: said === '' ? `A rule of the user stopped this call${why}. Go another way.` : said,
        isError: true,
      };
    case 'skip':
      return { text: said === '' ? `This call was skipped${why}. It did not run.` : said, isError: false };
    case 'cancel':
      return { text: said === '' ? `This call was cancelled${why}. It did not run.` : said, isError: true };
  }
}

export function ofOutcome(outcome: BodyOf<'attempt.outcome'>): ResultText {
  const isError = outcome.status !== 'succeeded';
  const shown = outcome.attachments === undefined ? {} : { attachments: outcome.attachments };
  if (outcome.output.trim() !== '') return { text: outcome.output, isError, ...shown };
  if (outcome.failure) return { text: sentence(outcome.failure.message, outcome.failure.suggestedAction), isError };
  return { text: silent[outcome.status], isError };
}

const silent: { readonly [S in BodyOf<'attempt.outcome'>['status']]: string } = {
  succeeded: 'Done. There was no output.',
  failed: 'Failed without output.',
  cancelled: 'Cancelled while it ran. Part of its effect may have happened: look before you go on.',
  rejected: 'Refused. It did not run.',
  unknown: 'It is not known whether this ran to its end. Look at the present state; do not assume either.',
};

const reasonOf = (reason: string | undefined) => (reason === undefined || reason === '' ? '' : ` (${reason})`);
const sentence = (message: string, next: string) => (next === '' ? message : `${message}\n${next}`);
