/**
 * The shell text that runs a hook, and what it printed. A hook reads JSON on its standard input, answers on standard
 * output and explains itself on standard error; a supervised command has one stream and no input, so the text carries
 * the input and puts standard error behind a mark.
 */

/** Characters kept of either stream. */
const printedMax = 64 * 1024;

/** `mark` must occur in neither stream: a fresh random word. `folder` takes the standard error for the time being. */
export function hookText(command: string, input: object, root: string, folder: string, mark: string): string {
  const errors = quoted(`${folder}/err`);
  return [
    `export CLAUDE_PROJECT_DIR=${quoted(root)} BELAY_PROJECT_DIR=${quoted(root)}`,
    `(\n${command}\n) 2>${errors} <<'${mark}'`,
    // One line: no line of the input can be the end of it.
    JSON.stringify(input),
    mark,
    'code=$?',
    `printf '\\n%s\\n' '${mark}'`,
    `cat ${errors}`,
    'exit "$code"',
  ].join('\n');
}

export interface Printed {
  readonly out: string;
  readonly errors: string;
}

export function printedBy(output: Uint8Array, mark: string): Printed {
  const text = new TextDecoder().decode(output);
  const line = `\n${mark}\n`;
  const at = text.lastIndexOf(line);
  const out = at < 0 ? text : text.slice(0, at);
  const errors = at < 0 ? '' : text.slice(at + line.length);
  return { out: out.slice(0, printedMax), errors: errors.slice(0, printedMax) };
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
