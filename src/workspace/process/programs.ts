import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { isInside } from '../files/resolve-path.ts';

/** Looks a program up once and remembers the answer. */
export type FindProgram = (name: string) => string | null;

/**
 * Finds programs of our own (`sh`, `cat`, `git`, `rg`, …) on the given path. Relative entries, and programs that lie
 * or lead inside the workspace, are passed over: nothing in the workspace may pose as a tool of ours.
 */
export function programFinder(root: string, path: string | undefined): FindProgram {
  const folders = [...(path ?? '').split(delimiter), '/usr/local/bin', '/usr/bin', '/bin', '/opt/homebrew/bin'];
  const found = new Map<string, string | null>();
  return (name) => {
    let program = found.get(name);
    if (program === undefined) {
      program = firstUsable(root, folders, name);
      found.set(name, program);
    }
    return program;
  };
}

function firstUsable(root: string, folders: readonly string[], name: string): string | null {
  for (const folder of folders) {
    const file = usable(root, folder, name);
    if (file !== null) return file;
  }
  return null;
}

function usable(root: string, folder: string, name: string): string | null {
  if (!isAbsolute(folder)) return null;
  const file = join(folder, name);
  try {
    accessSync(file, constants.X_OK);
    if (!statSync(file).isFile()) return null;
    // Both the name and what it leads to must be outside: either could be replaced by whoever edits the workspace.
    return isInside(root, realpathSync.native(folder)) || isInside(root, realpathSync.native(file)) ? null : file;
  } catch {
    return null;
  }
}
