/** The files that scans leave out because a rule ignores them. Nothing is executed and no link is followed. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IgnoredFiles } from '../contract.ts';
import { isLeftoverName } from '../files/leftovers.ts';
import { folderEntries } from './folder-entries.ts';
import type { IgnoreRules, Rules } from './ignore-rules.ts';
import type { Tracked } from './tracked-paths.ts';

export interface IgnoredPorts {
  readonly root: string;
  /** Paths relative to the root that are left out whole. */
  readonly hidden: ReadonlySet<string>;
  readonly ignore: IgnoreRules;
  readonly tracked: Tracked;
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
  filesMax: number,
  signal?: AbortSignal,
): Promise<IgnoredFiles> {
  const files: string[] = [];
  const left: string[] = [];
  const rules = ignore.enter('', [], `${root}/.git/info/exclude`);
  const folders: Folder[] = [{ path: root, prefix: '', rules, isIgnored: false }];
  let count = 0;
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
        if (isIgnored && remade.has(name)) left.push(`${path}/`);
        else {
          const inside = isIgnored ? here : ignore.descend(`${path}/`, here);
          folders.push({ path: at, prefix: `${path}/`, rules: inside, isIgnored });
        }
      } else if (kind !== 'other' && (folder.isIgnored || ignore.ignores(path, here)) && !tracked.files.has(path)) {
        if (files.length < filesMax) files.push(path);
        else if (left.at(-1) !== folder.prefix) left.push(folder.prefix);
      }
    }
  }
  return { files: files.sort(), left };
}
