import { decodeOutput } from './decode-output.ts';

/**
 * Output of a command as text for a model: UTF-8, broken bytes as `\\xNN`, without escape sequences and control
 * characters. A line that overwrites itself with carriage returns (a progress bar) keeps its last state.
 */
export function cleanOutput(bytes: Uint8Array): string {
  return cleanText(decodeOutput(bytes));
}

export function cleanText(text: string): string {
  return (
    text
      // Operating-system commands (titles, links), then control sequences, then other two-byte escapes.
      .replace(/\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\|$)/g, '')
      .replace(/[\x1b\x9b]\[?[0-?]*[ -/]*[@-~]/g, '')
      .replace(/\r+\n/g, '\n')
      .split('\n')
      .map((line) => (line.includes('\r') ? lastState(line) : line))
      .join('\n')
      .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\ufeff]/g, '')
  );
}

function lastState(line: string): string {
  const states = line.split('\r').filter((state) => state.trim() !== '');
  return states.at(-1) ?? '';
}
