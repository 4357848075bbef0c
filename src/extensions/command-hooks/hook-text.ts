/**
 * The shell text that runs a hook, and what it printed. A hook reads JSON on its standard input, answers on standard
 * output and explains itself on standard error; a supervised command has no input, so the text carries it.
 */
import type { ProcessResult } from '#workspace';

/** Characters kept of either stream. */
const printedMax = 64 * 1024;

/** `mark` must not occur in the input: a fresh random word. */
export const hookText = (command: string, input: object, root: string, mark: string): string =>
  [
    `export CLAUDE_PROJECT_DIR=${quoted(root)} BELAY_PROJECT_DIR=${quoted(root)}`,
    `(\n${command}\n) <<'${mark}'`,
    // One line: no line of the input can be the end of it.
    JSON.stringify(input),
    mark,
  ].join('\n');

export interface Printed {
  readonly out: string;
  readonly errors: string;
}

/** Masked as a whole: a cut in a secret would show a part of it. */
export function printedBy({ output, errors }: ProcessResult, mask: (text: string) => string): Printed {
  const shown = (bytes: Uint8Array) => mask(new TextDecoder().decode(bytes)).slice(0, printedMax);
  return { out: shown(output), errors: errors === undefined ? '' : shown(errors.output) };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
