import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { createMasker, isRepositoryInternal, isSecret, type NarrowingRules, unreadFiles } from '#permission';

/** Names of instruction files, the preferred one first. */
const names = ['AGENTS.md', 'CLAUDE.md'];
/** More than this is cut, and the cut is said: the prompt is paid for in every round. */
export const instructionBytesMax = 16 * 1024;

export interface Instructions {
  /** Null where there are none. */
  readonly text: string | null;
  /** For people: files that are left out, and why. */
  readonly notices: readonly string[];
}

/**
 * The project's own instructions for agents, from the root of the workspace, secrets masked. Nobody is asked before the
 * model sees them, so what a rule keeps from being read without a question is left out, and so is a link to a secret.
 */
export async function readInstructions(
  root: string,
  env: NodeJS.ProcessEnv = {},
  rules: NarrowingRules = { deny: [], ask: [] },
): Promise<Instructions> {
  const { isUnread } = await unreadFiles(rules, { workspace: root, home: homedir() });
  const notices: string[] = [];
  for (const name of names) {
    const real = await whereItIs(root, name);
    if (real === null) continue;
    const why = leftOut(name, real, isUnread);
    if (why !== null) {
      notices.push(`${name} is not shown to the model: ${why}`);
      continue;
    }
    const bytes = await readStart(path.join(root, real)).catch(() => null);
    if (bytes === null) continue;
    // In the stream mode a character that the limit cuts in two is left out.
    const text = new TextDecoder().decode(bytes.subarray(0, instructionBytesMax), { stream: true });
    if (text.trim() === '') continue;
    const cut = bytes.length > instructionBytesMax ? `\n(${name} is longer; read the rest when you need it)` : '';
    return { text: `${name}:\n${createMasker(env).text(text.trim())}${cut}`, notices };
  }
  return { text: null, notices };
}

/** Relative to the root, with links followed; null where nothing is there. */
async function whereItIs(root: string, name: string): Promise<string | null> {
  const found = await Promise.all([realpath(root), realpath(path.join(root, name))]).catch(() => null);
  return found === null ? null : path.relative(found[0], found[1]);
}

/** Whose repository this is, nobody knows: a link could send any file of the user to a provider. */
function leftOut(name: string, real: string, isUnread: (place: string) => boolean): string | null {
  if (real === '..' || real.startsWith('../') || path.isAbsolute(real)) return 'it leads out of the workspace';
  const kept = [name, real].find(isUnread);
  if (kept !== undefined) return `a rule keeps ${kept} from being read`;
  if (real === name) return null;
  if (isRepositoryInternal(real)) return `it leads to ${real}, which belongs to git`;
  return isSecret(real) ? `it leads to ${real}, which may hold a secret` : null;
}

/** At most one byte more than the limit. A pipe would be waited for, so only a file counts; null for anything else. */
async function readStart(real: string): Promise<Uint8Array | null> {
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
