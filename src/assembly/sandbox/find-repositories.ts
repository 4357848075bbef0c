/** Finds what git takes for a repository in a workspace, down to a few levels. */
import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

export interface FoundRepositories {
  /** Whatever is called `.git`. */
  readonly dotGits: readonly string[];
  /** Folders that are one themselves. */
  readonly bare: readonly string[];
}

/** Folders that are looked into. */
const foldersMax = 2_000;
const depthMax = 3;
/** A folder that changed so shortly before it was read may change again without another time. */
const freshMs = 100;

interface Seen {
  readonly ctimeMs: number;
  readonly ino: number;
  readonly isFresh: boolean;
  readonly folders: readonly string[];
  readonly hasDotGit: boolean;
  readonly isBare: boolean;
}

/** Looks again at each call; folders in which nothing was made or removed since are not read again. Links are not followed. */
export function repositoryFinder(workspace: string): () => FoundRepositories {
  let known = new Map<string, Seen>();
  return () => {
    const now = new Map<string, Seen>();
    let level: readonly string[] = [workspace];
    for (let depth = 0; depth <= depthMax; depth++) {
      const next: string[] = [];
      for (const folder of level) {
        if (now.size >= foldersMax) break;
        const seen = look(folder, known.get(folder));
        if (seen === null) continue;
        now.set(folder, seen);
        for (const name of seen.folders) next.push(path.join(folder, name));
      }
      level = next;
    }
    known = now;
    return {
      dotGits: [...now].flatMap(([folder, { hasDotGit }]) => (hasDotGit ? [path.join(folder, '.git')] : [])),
      bare: [...now].flatMap(([folder, { isBare, hasDotGit }]) => (isBare && !hasDotGit ? [folder] : [])),
    };
  };
}

function look(folder: string, before: Seen | undefined): Seen | null {
  try {
    const { ctimeMs, ino } = lstatSync(folder);
    if (before !== undefined && !before.isFresh && before.ctimeMs === ctimeMs && before.ino === ino) return before;
    const isFresh = Date.now() - ctimeMs < freshMs;
    const entries = readdirSync(folder, { withFileTypes: true });
    const names = new Set(entries.map(({ name }) => name));
    const has = (name: string) => names.has(name);
    return {
      ctimeMs,
      ino,
      isFresh,
      folders: entries.filter(isEntered).map(({ name }) => name),
      hasDotGit: has('.git'),
      isBare: has('HEAD') && (has('commondir') || (has('objects') && has('refs'))),
    };
  } catch {
    return null;
  }
}

const isEntered = (entry: Dirent): boolean =>
  entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules';
