import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** Names of instruction files, the preferred one first. */
const names = ['AGENTS.md', 'CLAUDE.md'];
/** More than this is cut, and the cut is said: the prompt is paid for in every round. */
export const instructionBytesMax = 16 * 1024;

/** The project's own instructions for agents, from the root of the workspace; null when there are none. */
export async function readInstructions(root: string): Promise<string | null> {
  for (const name of names) {
    const bytes = await readFile(path.join(root, name)).catch(() => null);
    if (bytes === null) continue;
    const text = bytes.subarray(0, instructionBytesMax).toString('utf8');
    const whole = text.startsWith('\ufeff') ? text.slice(1) : text;
    if (whole.trim() === '') continue;
    const cut = bytes.length > instructionBytesMax ? `\n(${name} is longer; read the rest when you need it)` : '';
    return `${name}:\n${whole.trim()}${cut}`;
  }
  return null;
}
