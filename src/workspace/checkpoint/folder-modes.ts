/**
 * Permissions of folders that are not the usual ones, as they were seen last. No scan tells of them, and a folder that is
 * made anew for a file must not let in more people than the one that was taken away.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { statAt } from './stat-at.ts';

export interface FolderModes {
  /** Looks at the folders around these paths. */
  note(paths: Iterable<string>): void;
  /** Permission bits, as seen last; null: the usual ones, or never seen. */
  of(path: string): number | null;
}

/** Permissions of a folder of which nothing else is known; the user's mask may narrow them. */
export const USUAL = 0o755;

export function folderModes(store: string, root: string): FolderModes {
  const file = join(store, 'folders.json');
  let read: Map<string, number> | null = null;
  const known = (): Map<string, number> => (read ??= load(file));
  return {
    note(paths) {
      const modes = known();
      let differs = false;
      for (const folder of foldersAround(paths)) {
        const stat = statAt(join(root, folder));
        // A folder that is gone is remembered: it may come back.
        if (stat?.isDirectory() !== true) continue;
        const mode = Number(stat.mode) & 0o777;
        if (mode === (modes.get(folder) ?? USUAL)) continue;
        if (mode === USUAL) modes.delete(folder);
        else modes.set(folder, mode);
        differs = true;
      }
      if (differs) save(file, modes);
    },
    of: (path) => known().get(path) ?? null,
  };
}

function foldersAround(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

function load(file: string): Map<string, number> {
  try {
    return new Map(JSON.parse(readFileSync(file, 'utf8')) as readonly (readonly [string, number])[]);
  } catch {
    return new Map();
  }
}

/** Without it a folder of that kind comes back with the usual permissions, as far as the folder around it has them. */
function save(file: string, modes: ReadonlyMap<string, number>): void {
  const fresh = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, JSON.stringify([...modes]), { mode: 0o600 });
    renameSync(fresh, file);
  } catch {
    rmSync(fresh, { force: true });
  }
}
