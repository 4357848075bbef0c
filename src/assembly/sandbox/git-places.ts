/**
 * Where git keeps a repository, and what of it makes git run programs. Commits must work in the sandbox, so objects,
 * refs and the index are written; hooks and settings are not.
 */
import path from 'node:path';
import { isBelow, neverNewInGit, startingInGit } from '#permission';
import { namedBySettings } from './git-settings.ts';
import { foldersIn, folderWith, kindOf, namesIn, realOf, textOf } from './real-paths.ts';

export interface GitPlaces {
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly fixed: readonly string[];
  readonly frozen: readonly string[];
  /** What is not there and must not come into being. */
  readonly neverNew: readonly string[];
}

const nothing: GitPlaces = { readable: [], writable: [], fixed: [], frozen: [], neverNew: [] };
/** A repository with more submodules or worktrees than this keeps the rest unprotected from itself only. */
const partsMax = 200;
/** Folders that are looked into for repositories inside the workspace. */
const foldersMax = 2_000;
const depthMax = 3;

/** Of the repository that holds the workspace. Homes above the workspace are not shown for the sake of a repository. */
export function gitPlaces(workspace: string, homes: readonly string[]): GitPlaces {
  const top = folderWith('.git', workspace);
  if (top === null || (top !== workspace && homes.some((folder) => isBelow(folder, top)))) return nothing;
  const dotGit = path.join(top, '.git');
  const own = repositoryAt(top, dotGit, { workspace, home: homes[0] ?? null });
  if (top === workspace) return own;
  // The workspace is a part of it: the rest is shown, or git would take it for deleted.
  return { ...own, readable: [top, ...own.readable], writable: [...own.writable, ...own.fixed] };
}

/** Repositories inside the workspace, down to a few levels. */
export function nestedRepositories(workspace: string): GitPlaces {
  const within: Within = { workspace, home: null };
  const found: GitPlaces[] = [];
  let level: readonly string[] = [workspace];
  let looked = 0;
  for (let depth = 0; depth < depthMax; depth++) {
    const next: string[] = [];
    for (const folder of level) {
      if (looked++ >= foldersMax) break;
      for (const name of foldersIn(folder)) {
        if (name === '.git' || name === 'node_modules') continue;
        const at = path.join(folder, name);
        next.push(at);
        const dotGit = path.join(at, '.git');
        const kind = kindOf(dotGit);
        if (kind === 'folder') found.push(repository(dotGit), named(at, dotGit, within));
        if (kind === 'file') found.push({ ...nothing, frozen: [dotGit] });
      }
    }
    level = next;
  }
  return joined(found);
}

const joined = (places: readonly GitPlaces[]): GitPlaces => ({
  readable: places.flatMap((one) => one.readable),
  writable: places.flatMap((one) => one.writable),
  fixed: places.flatMap((one) => one.fixed),
  frozen: places.flatMap((one) => one.frozen),
  neverNew: places.flatMap((one) => one.neverNew),
});

interface Within {
  readonly workspace: string;
  readonly home: string | null;
}

function repositoryAt(top: string, dotGit: string, within: Within): GitPlaces {
  const kind = kindOf(dotGit);
  // A link to a folder elsewhere is not followed; one inside the workspace is the repository that git uses.
  const real = kind === 'link' ? realOf(dotGit) : dotGit;
  if (kind === 'file') return linked(top, dotGit, within);
  if (real === null || kindOf(real) !== 'folder' || (kind === 'link' && !isBelow(real, within.workspace)))
    return nothing;
  return joined([repository(real), named(top, real, within)]);
}

/** What the settings of a repository name in the workspace. Folders on the way would be renamed with it. */
function named(top: string, folder: string, { workspace, home }: Within): GitPlaces {
  const { present, absent } = namedBySettings(top, folder, workspace, home);
  const between = present.flatMap((at) => foldersBetween(workspace, at));
  return { ...nothing, fixed: [...new Set(between)], frozen: present, neverNew: absent };
}

/** What git's settings name in the workspace, there or not: its folder of hooks, and more settings. */
export function gitNamed(workspace: string, home: string): readonly string[] {
  const top = folderWith('.git', workspace);
  if (top === null) return [];
  const folder = gitFolderOf(top, path.join(top, '.git'));
  if (folder === null) return [];
  const { present, absent } = namedBySettings(top, folder, workspace, home);
  return [...present, ...absent];
}

/** The git folder of a work tree, for a linked one that of the repository; null where there is none. */
export function gitFolderOf(top: string, dotGit: string): string | null {
  if (kindOf(dotGit) !== 'file') return realOf(dotGit);
  const target = targetOf(dotGit);
  const folder = target === undefined ? null : realOf(path.resolve(top, target));
  return folder === null ? null : commonOf(folder);
}

/** A git folder with those of its submodules and worktrees. */
function repository(folder: string): GitPlaces {
  const parts = [
    ...gitFolders(path.join(folder, 'modules'), 4),
    ...namesIn(path.join(folder, 'worktrees')).map((name) => path.join(folder, 'worktrees', name)),
  ].slice(0, partsMax);
  const there = parts.filter((part) => kindOf(part) === 'folder');
  // A folder between would be renamed with all that is protected in it.
  const between = there.flatMap((part) => foldersBetween(folder, part));
  return joined([one(folder), { ...nothing, fixed: [...new Set(between)] }, ...there.map(one)]);
}

function one(folder: string): GitPlaces {
  const places = startingInGit.map((name) => path.join(folder, name));
  // A link cannot be mounted over; what it leads to in the repository is kept by its own place.
  const there = places.filter((at) => ['file', 'folder'].includes(kindOf(at) ?? ''));
  const absent = neverNewInGit.map((name) => path.join(folder, name)).filter((at) => kindOf(at) === null);
  return { ...nothing, fixed: [folder], frozen: there, neverNew: absent };
}

/** The folders on the way to a place: who renames one takes along what is protected in it. */
export function foldersBetween(folder: string, part: string): readonly string[] {
  const above = path.dirname(part);
  return above === folder || !isBelow(above, folder) ? [] : [...foldersBetween(folder, above), above];
}

/** Submodules lie below `modules` by name, and names can have several parts. */
export function gitFolders(folder: string, depth: number): readonly string[] {
  if (depth === 0 || kindOf(folder) !== 'folder') return [];
  return namesIn(folder).flatMap((name) => {
    const at = path.join(folder, name);
    const inner = gitFolders(path.join(at, 'modules'), depth - 1);
    return kindOf(path.join(at, 'HEAD')) === 'file' ? [at, ...inner] : gitFolders(at, depth - 1);
  });
}

/**
 * `.git` is a file that names the git folder of a worktree or a submodule. The file is part of the work tree and could
 * name any folder, so that folder counts only if it names this work tree in return.
 */
function linked(top: string, dotGit: string, within: Within): GitPlaces {
  const kept = { ...nothing, frozen: kindOf(dotGit) === 'file' ? [dotGit] : [] };
  const target = targetOf(dotGit);
  const folder = target === undefined ? null : realOf(path.resolve(top, target));
  if (folder === null || kindOf(path.join(folder, 'HEAD')) !== 'file') return kept;
  const common = commonOf(folder);
  const back = textOf(path.join(folder, 'gitdir'))?.trim();
  const isWorktree = common !== folder && back !== undefined && realOf(path.resolve(folder, back)) === realOf(dotGit);
  const tree = /^\s*worktree\s*=\s*(.+)$/m.exec(textOf(path.join(folder, 'config')) ?? '')?.[1]?.trim();
  const isSubmodule = common === folder && tree !== undefined && realOf(path.resolve(folder, tree)) === realOf(top);
  if (!isWorktree && !isSubmodule) return kept;
  const places = repository(common);
  return joined([kept, places, named(top, common, within), { ...nothing, writable: [common] }]);
}

const targetOf = (dotGit: string): string | undefined => /^gitdir: (.+)$/m.exec(textOf(dotGit) ?? '')?.[1]?.trim();

function commonOf(folder: string): string {
  const target = textOf(path.join(folder, 'commondir'))?.trim();
  const common = target === undefined ? folder : (realOf(path.resolve(folder, target)) ?? folder);
  return kindOf(path.join(common, 'objects')) === 'folder' && isBelow(folder, common) ? common : folder;
}
