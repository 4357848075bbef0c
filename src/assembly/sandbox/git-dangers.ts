/**
 * What of a repository that nothing protects would make git start programs, read other settings or leave the workspace:
 * the places of it, each with a text that changes when the danger does.
 */
import { lstatSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { isBelow } from '#permission';
import type { FoundRepositories } from './find-repositories.ts';
import { startingSettings } from './git-config.ts';
import { gitFolders } from './git-places.ts';
import { kindOf, namesIn, realOf, textOf } from './real-paths.ts';

export type Dangers = ReadonlyMap<string, string>;

export interface Around {
  readonly workspace: string;
  /** Places that no command can change: repositories in them are as they were. */
  readonly kept: ReadonlySet<string>;
}

export function dangersIn({ dotGits, bare }: FoundRepositories, around: Around): Dangers {
  const found = new Map<string, string>();
  for (const at of dotGits) if (!around.kept.has(at)) ofDotGit(at, around, found);
  for (const folder of bare) ofFolder(folder, around, found);
  return found;
}

function ofDotGit(at: string, around: Around, found: Map<string, string>): void {
  const kind = kindOf(at);
  const folder = kind === 'folder' ? at : leadsTo(at, kind, around);
  if (folder !== null) ofFolder(folder, around, found);
  else found.set(at, kind === 'link' ? readlinkSync(at) : (textOf(at) ?? String(kind)));
}

/** The folder that a link or a file names; null where that is none, or is elsewhere. */
function leadsTo(at: string, kind: ReturnType<typeof kindOf>, { workspace, kept }: Around): string | null {
  const target = kind === 'link' ? realOf(at) : kind === 'file' ? targetOf(at) : null;
  if (target === null || kindOf(target) !== 'folder') return null;
  // A worktree or a submodule of a repository around the workspace lies where that keeps its own.
  return isBelow(target, workspace) || [...kept].some((one) => isBelow(target, one)) ? target : null;
}

function targetOf(dotGit: string): string | null {
  const target = /^gitdir: (.+)$/m.exec(textOf(dotGit) ?? '')?.[1]?.trim();
  return target === undefined ? null : realOf(path.resolve(path.dirname(dotGit), target));
}

/** With those of its submodules and worktrees. */
function ofFolder(folder: string, around: Around, found: Map<string, string>, seen: readonly string[] = []): void {
  if (around.kept.has(folder) || seen.includes(folder)) return;
  const worktrees = namesIn(path.join(folder, 'worktrees')).map((name) => path.join(folder, 'worktrees', name));
  for (const one of [folder, ...gitFolders(path.join(folder, 'modules'), 4), ...worktrees]) {
    if (around.kept.has(one)) continue;
    for (const name of ['config', 'config.worktree']) ofSettings(path.join(one, name), one, around, found);
    ofHooks(path.join(one, 'hooks'), found);
    ofCommon(path.join(one, 'commondir'), one, around, found, [...seen, folder]);
  }
}

function ofSettings(at: string, folder: string, { workspace }: Around, found: Map<string, string>): void {
  const kind = kindOf(at);
  if (kind === null) return;
  const text = textOf(at);
  const mayBeTree = (tree: string) => {
    const real = realOf(path.resolve(folder, tree));
    return real !== null && isBelow(real, workspace);
  };
  const settings = text === null ? [String(kind)] : startingSettings(text, mayBeTree);
  if (settings.length > 0) found.set(at, settings.join('\n'));
}

function ofHooks(at: string, found: Map<string, string>): void {
  const kind = kindOf(at);
  if (kind === null) return;
  const hooks = namesIn(at).flatMap((name) => {
    if (name.endsWith('.sample')) return [];
    const stat = lstatSync(path.join(at, name), { throwIfNoEntry: false });
    // Git leaves out what is not executable.
    if (stat === undefined || (stat.isFile() && (stat.mode & 0o111) === 0)) return [];
    return [`${name} ${stat.ino} ${stat.size} ${stat.ctimeMs}`];
  });
  if (kind !== 'folder' || hooks.length > 0) found.set(at, [kind, ...hooks].join('\n'));
}

/** A worktree names the folder in which it lies; that has the settings and the hooks. */
function ofCommon(
  at: string,
  folder: string,
  around: Around,
  found: Map<string, string>,
  seen: readonly string[],
): void {
  if (kindOf(at) === null) return;
  const target = textOf(at)?.trim();
  const real = target === undefined ? null : realOf(path.resolve(folder, target));
  const isOwn = real !== null && path.dirname(folder) === path.join(real, 'worktrees');
  if (isOwn && (around.kept.has(real) || isBelow(real, around.workspace))) ofFolder(real, around, found, seen);
  else found.set(at, target ?? 'no text');
}
