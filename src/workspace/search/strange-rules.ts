/**
 * Finds the rule files that ripgrep would read though they are none: it follows links and opens pipes, so that a link to a
 * device or a pipe holds it up for ever.
 */
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

export type RuleKind = 'dot' | 'git' | 'exclude' | 'parent';
export interface StrangeRule {
  readonly kind: RuleKind;
  /** Relative to the root. */
  readonly path: string;
}

const KINDS: Readonly<Record<string, RuleKind>> = { '.ignore': 'dot', '.rgignore': 'dot', '.gitignore': 'git' };
const SLICE_MS = 8;
const FOLDERS_MAX = 200_000;

/** What is found until the signal aborts; the first of each kind is enough, so a walk ends when all are found. */
export async function strangeRules(root: string, signal: AbortSignal): Promise<readonly StrangeRule[]> {
  const found: StrangeRule[] = [];
  const note = (kind: RuleKind, path: string) => {
    if (!found.some((one) => one.kind === kind) && isStrange(path)) found.push({ kind, path: relative(root, path) });
  };
  for (let at = dirname(root); ; at = dirname(at)) {
    for (const name of Object.keys(KINDS)) note('parent', join(at, name));
    if (dirname(at) === at) break;
  }
  const folders = [root];
  let end = performance.now() + SLICE_MS;
  for (let i = 0; i < folders.length && i < FOLDERS_MAX; i++) {
    const folder = folders[i] as string;
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      const kind = KINDS[entry.name];
      if (kind !== undefined && !entry.isFile()) note(kind, path);
      if (entry.name === '.git') note('exclude', join(path, 'info/exclude'));
      else if (entry.isDirectory()) folders.push(path);
    }
    if (performance.now() < end) continue;
    await nextTurn();
    if (signal.aborted) break;
    end = performance.now() + SLICE_MS;
  }
  return found;
}

/** Whether something is there that reading would not come to the end of. */
export function isStrange(path: string): boolean {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat !== undefined && !stat.isFile() && !stat.isDirectory();
  } catch {
    return false;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
