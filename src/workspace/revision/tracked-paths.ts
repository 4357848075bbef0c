import { type BigIntStats, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { gitDirOf, readIndex } from './git-index.ts';
import { repositoryTop } from './root-rules.ts';

/** What a repository tracks, by paths relative to its own folder: tracked paths count even if a rule ignores them. */
export interface Tracked {
  readonly files: ReadonlySet<string>;
  /** Folders that hold tracked files at any depth, without a trailing slash. */
  readonly folders: ReadonlySet<string>;
}

const NOTHING: Tracked = { files: new Set(), folders: new Set() };

/** Reads the index of the repository of which a folder is the top or a part; remembered while the index file stays the same. */
export function trackedReader(): (folder: string) => Tracked {
  const known = new Map<string, { readonly stamp: string; readonly tracked: Tracked }>();
  return (folder) => {
    const top = repositoryTop(folder);
    const gitDir = top === null ? null : gitDirOf(top);
    if (top === null || gitDir === null) return NOTHING;
    const stat = statOf(join(gitDir, 'index'));
    if (stat === null) return NOTHING;
    const stamp = `${gitDir} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
    const last = known.get(folder);
    if (last?.stamp === stamp) return last.tracked;
    const way = top === folder ? '' : `${relative(top, folder).split(sep).join('/')}/`;
    const paths = readIndex(gitDir).map(({ path }) => path);
    const tracked = collect(
      way === '' ? paths : paths.filter((path) => path.startsWith(way)).map((path) => path.slice(way.length)),
    );
    known.set(folder, { stamp, tracked });
    return tracked;
  };
}

/** Null where it is not there, or nobody may look at it: an index that cannot be read counts as empty. */
function statOf(index: string): BigIntStats | null {
  try {
    return statSync(index, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function collect(paths: readonly string[]): Tracked {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return { files: new Set(paths), folders };
}
