/** The files that scans leave out because a rule ignores them. Nothing is executed and no link is followed. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IgnoredFiles } from '../contract.ts';
import { isLeftoverName } from '../files/leftovers.ts';
import { folderEntries } from './folder-entries.ts';
import type { IgnoreRules, Rules } from './ignore-rules.ts';
import { rootRules } from './root-rules.ts';
import type { Tracked } from './tracked-paths.ts';

export interface IgnoredPorts {
  readonly root: string;
  /** Paths relative to the root that are left out whole. */
  readonly hidden: ReadonlySet<string>;
  readonly ignore: IgnoreRules;
  readonly tracked: Tracked;
}
export interface IgnoredLimits {
  readonly filesMax: number;
  readonly under?: readonly string[];
  readonly isNamed?: boolean;
}
interface Folder {
  readonly path: string;
  readonly prefix: string;
  readonly rules: Rules;
  readonly isIgnored: boolean;
}

/** Tools fill these anew; to keep them would cost more than to make them. */
const remade: ReadonlySet<string> = new Set([
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.tox',
  '.gradle',
  '.cache',
  '.pytest_cache',
  '.mypy_cache',
  '.next',
  '.turbo',
  'target',
]);
const foldersMax = 50_000;

export async function listIgnored(
  { root, hidden, ignore, tracked }: IgnoredPorts,
  { filesMax, under = ['.'], isNamed = false }: IgnoredLimits,
  signal?: AbortSignal,
): Promise<IgnoredFiles> {
  const files: string[] = [];
  const left: string[] = [];
  const rules = rootRules(root, ignore);
  const folders: Folder[] = [{ path: root, prefix: '', rules, isIgnored: false }];
  let count = 0;
  const choice = choose(under, isNamed);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (++count % 200 === 0) {
      await nextTurn();
      signal?.throwIfAborted();
    }
    if (files.length >= filesMax || count > foldersMax) {
      left.push(folder.prefix === '' ? './' : folder.prefix);
      break;
    }
    const entries = folderEntries(folder.path) ?? [];
    const ruleFile = entries.find(({ name, kind }) => name === '.gitignore' && kind === 'file')?.path;
    const here = ignore.enter(folder.prefix, folder.rules, typeof ruleFile === 'string' ? ruleFile : null);
    for (const { name, path: at, kind } of entries) {
      const path = folder.prefix + name;
      // A name that is no text could not be brought back under it.
      if (name === '.git' || isLeftoverName(name) || hidden.has(path) || typeof at !== 'string') continue;
      if (kind === 'folder') {
        const isIgnored = folder.isIgnored || ignore.ignores(`${path}/`, here);
        if (isIgnored) choice.noteIgnored(path);
        if (!choice.goesInto(path)) continue;
        // What is named in such a folder is kept all the same.
        const isSpared = isIgnored && remade.has(name) && !choice.leadsBelow(path);
        if (isSpared && choice.holds(path)) left.push(`${path}/`);
        else if (!isSpared) {
          const inside = isIgnored ? here : ignore.descend(`${path}/`, here);
          folders.push({ path: at, prefix: `${path}/`, rules: inside, isIgnored });
        }
      } else if (kind !== 'other' && (folder.isIgnored || ignore.ignores(path, here)) && !tracked.files.has(path)) {
        if (!choice.holds(path)) continue;
        if (files.length < filesMax) files.push(path);
        else if (left.at(-1) !== folder.prefix) left.push(folder.prefix);
      }
    }
  }
  return { files: files.sort(), left };
}

interface Choice {
  /** Whether a path was asked for. */
  holds(path: string): boolean;
  /** Whether something that was asked for may lie below a folder. */
  goesInto(folder: string): boolean;
  /** Whether something below it was named itself. */
  leadsBelow(folder: string): boolean;
  noteIgnored(folder: string): void;
}

function choose(under: readonly string[], isNamed: boolean): Choice {
  const names = new Set(under);
  const isWhole = names.has('.') && !isNamed;
  /** Named folders that are ignored themselves: of others nothing below was named. */
  const tops = new Set<string>();
  const isBelow = (path: string, folders: ReadonlySet<string>): boolean => {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      if (folders.has(path.slice(0, at))) return true;
    }
    return false;
  };
  const ways = new Set<string>();
  for (const one of under) {
    for (let at = one.indexOf('/'); at > 0; at = one.indexOf('/', at + 1)) ways.add(one.slice(0, at));
  }
  return {
    holds: (path) => isWhole || names.has(path) || isBelow(path, isNamed ? tops : names),
    goesInto: (folder) =>
      isWhole ||
      ways.has(folder) ||
      (isNamed ? tops.has(folder) || isBelow(folder, tops) : names.has(folder) || isBelow(folder, names)),
    leadsBelow: (folder) => ways.has(folder),
    noteIgnored(folder) {
      if (names.has(folder)) tops.add(folder);
    },
  };
}
