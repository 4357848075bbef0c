import { decodeOutput } from './decode-output.ts';

/**
 * Output of a command as text for a model: UTF-8, broken bytes as `\\xNN`, without escape sequences and control
 * characters. A line that overwrites itself with carriage returns (a progress bar) keeps its last state.
 */
export function cleanOutput(bytes: Uint8Array): string {
  return cleanText(decodeOutput(bytes));
}

/** The work grows linearly with the text, whatever the text is. */
export function cleanText(text: string): string {
  return (
    text
      // Operating-system commands (titles, links), then control sequences, then other two-byte escapes. A command ends
      // on its line: behind a stray escape everything that follows would be gone.
      .replace(/\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)/g, '')
      .replace(/[\x1b\x9b]\[?[0-?]*[ -/]*[@-~]/g, '')
      .split('\n')
      .map(lastState)
      .join('\n')
      .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\ufeff]/g, '')
  );
}

/** Returns at the end of a line are part of its end; before that they overwrite it. */
function lastState(line: string): string {
  let end = line.length;
  while (line.charCodeAt(end - 1) === RETURN) end--;
  const ended = line.slice(0, end);
  if (!ended.includes('\r')) return ended;
  const states = ended.split('\r').filter((state) => state.trim() !== '');
  return states.at(-1) ?? '';
}

const RETURN = 0x0d;
