import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { createMasker } from '#permission';

/** Names of instruction files, the preferred one first. */
const names = ['AGENTS.md', 'CLAUDE.md'];
/** More than this is cut, and the cut is said: the prompt is paid for in every round. */
export const instructionBytesMax = 16 * 1024;

/** The project's own instructions for agents, from the root of the workspace, secrets masked; null when there are none. */
export async function readInstructions(root: string, env: NodeJS.ProcessEnv = {}): Promise<string | null> {
  for (const name of names) {
    const bytes = await readStart(root, name).catch(() => null);
    if (bytes === null) continue;
    // In the stream mode a character that the limit cuts in two is left out.
    const text = new TextDecoder().decode(bytes.subarray(0, instructionBytesMax), { stream: true });
    if (text.trim() === '') continue;
    const cut = bytes.length > instructionBytesMax ? `\n(${name} is longer; read the rest when you need it)` : '';
    return `${name}:\n${createMasker(env).text(text.trim())}${cut}`;
  }
  return null;
}

/**
 * At most one byte more than the limit. Whose repository this is, nobody knows: a link that leads out of it would send
 * any file of the user to a provider, and a pipe would be waited for, so neither counts. Null for what is no such file.
 */
async function readStart(root: string, name: string): Promise<Uint8Array | null> {
  const [realRoot, real] = await Promise.all([realpath(root), realpath(path.join(root, name))]);
  if (!real.startsWith(realRoot.endsWith('/') ? realRoot : `${realRoot}/`)) return null;
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) return null;
    const start = Buffer.alloc(instructionBytesMax + 1);
    let size = 0;
    for (;;) {
      const { bytesRead } = await file.read(start, size, start.length - size, size);
      if (bytesRead === 0) return start.subarray(0, size);
      size += bytesRead;
    }
  } finally {
    await file.close();
  }
}
