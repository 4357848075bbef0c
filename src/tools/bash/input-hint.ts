/** Questions as programs ask them at the end of what they print. */
const question =
  /(\[y(es)?\/n(o)?\]|\(y(es)?\/n(o)?(\/\[fingerprint\])?\)|password[^:\n]{0,80}:|passphrase[^:\n]{0,120}:|username[^:\n]{0,80}:|press any key|terminal prompts disabled|no tty present|a terminal is required|not a tty)/i;

/** What full-screen programs say before they wait for keys. */
const noTerminal = /(output|input) is not (to|from) a terminal/i;

/** Looked at from the end: what a failed command said last. */
const LOOK_LENGTH = 600;

/** Says why a command that asked something failed or waited; null where it did not. Nobody answers, so it must not ask. */
export function inputHint(output: string, exitCode: number | null, timedOut: boolean): string | null {
  if (timedOut && noTerminal.test(output.slice(0, LOOK_LENGTH))) {
    return 'hint: it needs a terminal, and there is none: change files with Edit, or use a mode without a screen.';
  }
  if (exitCode === null || exitCode === 0 || !question.test(output.slice(-LOOK_LENGTH))) return null;
  return 'hint: it asked for input, and there is none: use an option that answers (such as -y or --no-input), a file, or a variable.';
}
