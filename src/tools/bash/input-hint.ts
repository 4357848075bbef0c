/** Questions as programs ask them at the end of what they print. */
const question =
  /(\[y(es)?\/n(o)?\]|\(y(es)?\/n(o)?(\/\[fingerprint\])?\)|password[^:\n]{0,80}:|passphrase[^:\n]{0,120}:|username[^:\n]{0,80}:|press any key|terminal prompts disabled|no tty present|a terminal is required|not a tty|EOF when reading a line)/i;

/** A question that ends what was printed, without the end of its line: whoever asked got no answer and said no more. */
const openQuestion = /[?:)\]>] $/;
/** The same of a program that ends its line when it hears that nobody answers. */
const choice = /\[y,n,[^\]\n]{1,40}\]\?\s*$/;

/** What full-screen programs say before they wait for keys. */
const noTerminal = /(output|input) is not (to|from) a terminal/i;

const answering = 'use an option that answers (such as -y or --no-input), a file, or a variable.';
const unanswered = `hint: it asked and got no answer, so what it asked about was most likely not done: ${answering}`;

/** Looked at from the end: what a failed command said last. */
const LOOK_LENGTH = 600;

/**
 * Says why a command that asked something failed, waited or did nothing; null where it did not. Nobody answers, so it
 * must not ask. `end` is the end of what it printed, as it printed it.
 */
export function inputHint(output: string, end: string, exitCode: number | null, timedOut: boolean): string | null {
  if (timedOut && noTerminal.test(output.slice(0, LOOK_LENGTH))) {
    return 'hint: it needs a terminal, and there is none: change files with Edit, or use a mode without a screen.';
  }
  if (exitCode === null) return null;
  if (exitCode === 0) return openQuestion.test(end) || choice.test(end) ? unanswered : null;
  if (!openQuestion.test(end) && !question.test(output.slice(-LOOK_LENGTH))) return null;
  return `hint: it asked for input, and there is none: ${answering}`;
}
