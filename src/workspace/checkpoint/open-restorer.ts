import { readdirSync, rmdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '#lib';
import { revokeClaim, takeClaim } from '../claim.ts';
import type { RestoreItem, RestoreResult, Restorer } from '../contract.ts';
import { errorCode } from '../error-code.ts';
import { editLock } from '../files/edit-lock.ts';
import { clearLeftovers } from '../files/leftovers.ts';
import { pathResolver } from '../files/resolve-path.ts';
import { WorkspaceError } from '../workspace-error.ts';
import { lookAt } from './look.ts';
import { finishFolders, type MadeFolder, makeFolders } from './make-folders.ts';
import { restorePath } from './restore-path.ts';
import { isSame, isSameContent, parseSide } from './side.ts';

export interface RestorerOptions {
  /** Real path of the workspace. */
  readonly root: string;
  readonly protectedPaths: readonly string[];
  /** Folder of the edit lock between Belay processes; null locks this process only. */
  readonly lockFolder: string | null;
  readonly bootId: string;
  /** Permission bits that a folder had, for one that is made anew. Absent: nothing is known of any. */
  readonly folderMode?: (path: string) => number | null;
}

export function openRestorer(options: RestorerOptions): Restorer {
  const { root } = options;
  const resolve = pathResolver(root, options.protectedPaths);
  const lock = editLock(options.lockFolder);
  return {
    async restore(items, content, execFolder) {
      if (!takeClaim(execFolder, options.bootId)) {
        throw new WorkspaceError('busy', 'Somebody else settles this undo already.');
      }
      const restored: string[] = [];
      const refused: RestoreResult['refused'][number][] = [];
      const notes: RestoreResult['notes'][number][] = [];
      const folders = new Set<string>();
      const made: MadeFolder[] = [];
      const ports = {
        root,
        resolve,
        makeFolder(path: string) {
          made.push(...makeFolders(root, path, options.folderMode ?? (() => null)));
        },
      };
      for (const item of inOrder(items)) {
        const bytes = needsContent(item) ? await content(parseSide(item.to).hash) : null;
        const note = (why: string) => notes.push({ path: item.path, why });
        const why = await lock(() => restorePath({ ...ports, note }, item, bytes, execFolder)).catch(refusalOf);
        if (why === null) restored.push(item.path);
        else refused.push({ path: item.path, ...(typeof why === 'string' ? { why } : why) });
        if (why === null && item.to === null) removeParents(root, item.path, items);
        folders.add(dirname(join(root, item.path)));
      }
      finishFolders(root, made);
      for (const folder of folders) await syncFolder(folder);
      return { restored: restored.sort(), refused, notes };
    },
    abandon(execFolder, items) {
      revokeClaim(execFolder);
      clearLeftovers(execFolder, (target) => {
        const item = items.find(({ path }) => join(root, path) === target);
        return item === undefined || item.from === null ? null : parseSide(item.from).hash;
      });
    },
    look: (path) => lookAt(root, path),
  };
}

/** The system's own refusals (no room, no permission, a lock) may be gone tomorrow. */
const refusalOf = (thrown: unknown): { readonly why: string; readonly passing?: true } =>
  thrown instanceof Error && 'code' in thrown ? { why: messageOf(thrown), passing: true } : { why: messageOf(thrown) };

const needsContent = (item: RestoreItem): item is RestoreItem & { readonly to: string } =>
  item.to !== null && !item.path.endsWith('/') && !isSame(item.from, item.to) && !isSameContent(item.from, item.to);

/**
 * A file in the place of a folder must go before the folder's files come, and the other way round; everything else is
 * brought first and taken away afterwards, so that no folder vanishes only to be made again.
 */
function inOrder(items: readonly RestoreItem[]): readonly RestoreItem[] {
  const coming = items.filter(({ to }) => to !== null).map(({ path }) => path);
  const rank = ({ path, to }: RestoreItem): number => {
    if (path.endsWith('/')) return to === null ? 4 : 3;
    if (to !== null) return 1;
    return coming.some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) ? 0 : 2;
  };
  return [...items].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : 1) * (rank(a) === 4 ? -1 : 1));
}

/** Folders that were made for a file go with it, unless they are to be there as empty ones. */
function removeParents(root: string, path: string, items: readonly RestoreItem[]): void {
  const stays = new Set(items.filter(({ path: p, to }) => p.endsWith('/') && to !== null).map(({ path: p }) => p));
  for (let folder = dirname(path); folder !== '.' && folder !== '/'; folder = dirname(folder)) {
    if (stays.has(`${folder}/`)) return;
    try {
      if (readdirSync(join(root, folder)).length > 0) return;
      rmdirSync(join(root, folder));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') return;
    }
  }
}

async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // It is gone, or lies on a file system that cannot sync a folder; the contents themselves are synced.
  }
}
