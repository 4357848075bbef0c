/** Questions as programs ask them at the end of what they print. */
const question =
  /(\[y(es)?\/n(o)?\]|\(y(es)?\/n(o)?(\/\[fingerprint\])?\)|password[^:\n]{0,80}:|passphrase[^:\n]{0,120}:|username[^:\n]{0,80}:|press any key|terminal prompts disabled|no tty present|a terminal is required|not a tty)/i;

/** Looked at from the end: what a failed command said last. */
const LOOK_LENGTH = 600;

/** Says why a command that asked something failed; null where it did not. Nobody answers, so it must not ask. */
export function inputHint(output: string, exitCode: number | null): string | null {
  if (exitCode === null || exitCode === 0 || !question.test(output.slice(-LOOK_LENGTH))) return null;
  return 'hint: it asked for input, and there is none: use an option that answers (such as -y or --no-input), a file, or a variable.';
}
