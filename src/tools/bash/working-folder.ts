/**
 * Where a command starts. Each command is a new shell, so `cd` ends with it; the argument `cwd` stays for later calls.
 * A folder that is gone since is given up for the root, which the result says: no session is lost to a removed folder.
 */
import { posix } from 'node:path';
import { type Failure, type Json, makeFailure } from '#kernel';
import type { Workspace } from '#workspace';
import { readArguments } from '../arguments.ts';
import type { ToolContext } from '../contract.ts';

export interface WorkingFolder {
  /** Relative to the root, `.` for the root. */
  readonly path: string;
  readonly absolute: string;
  /** What the model must know; null where it is as it expects. */
  readonly note: string | null;
}
export type FolderChoice =
  | { readonly ok: true; readonly folder: WorkingFolder }
  | { readonly ok: false; readonly failure: Failure };

export async function chooseFolder(workspace: Workspace, args: Json, context: ToolContext): Promise<FolderChoice> {
  const asked = readArguments(args).text('cwd');
  const wanted = asked ?? context.state().cwd;
  if (wanted === '.') return { ok: true, folder: rootOf(workspace, null) };
  const found = await workspace.files.resolve(wanted);
  if (!('code' in found) && found.kind === 'directory') {
    return { ok: true, folder: { path: found.path, absolute: found.absolute, note: null } };
  }
  if (asked === undefined) {
    const note = `(the folder ${wanted} is gone; commands run in the workspace root again)`;
    return { ok: true, folder: rootOf(workspace, note) };
  }
  const none = 'code' in found ? found.message : `${found.path} is not a folder.`;
  const why = !('code' in found) && found.kind === 'missing' ? `There is no folder ${found.path}.` : none;
  const below = await folderBelow(workspace, context.state().cwd, asked);
  const next =
    below === null
      ? 'Give cwd as an existing folder inside the workspace, or leave it out.'
      : `cwd counts from the workspace root, wherever commands run: give ${below}.`;
  return { ok: false, failure: makeFailure('precondition', why, next) };
}

/** Who just made a folder there names it from there. */
async function folderBelow(workspace: Workspace, cwd: string, asked: string): Promise<string | null> {
  if (cwd === '.' || posix.isAbsolute(asked)) return null;
  const found = await workspace.files.resolve(posix.join(cwd, asked));
  return !('code' in found) && found.kind === 'directory' ? found.path : null;
}

const rootOf = (workspace: Workspace, note: string | null): WorkingFolder => ({
  path: '.',
  absolute: workspace.root,
  note,
});

/** Where the command ran, where that is not the root. */
export const folderLine = ({ path, note }: WorkingFolder): string | null =>
  note ?? (path === '.' ? null : `(cwd: ${path}, also of later commands)`);

/** What an outcome records of the folder. */
export const folderChange = ({ path }: WorkingFolder, context: ToolContext): { readonly cwd?: string } =>
  path === context.state().cwd ? {} : { cwd: path };
