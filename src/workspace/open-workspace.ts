import { realpathSync, statSync } from 'node:fs';
import type { Workspace, WorkspaceOptions } from './contract.ts';
import { isMissing } from './error-code.ts';
import { openFiles } from './files/open-files.ts';
import { readBootId } from './process/boot-id.ts';
import { openProcesses } from './process/open-processes.ts';
import { programFinder } from './process/programs.ts';
import { openRevisions } from './revision/open-revisions.ts';
import { WorkspaceError } from './workspace-error.ts';

/** Opens a folder as a workspace; changes nothing in it. Throws `WorkspaceError` `missing` when it is no folder. */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const root = realRoot(options.root);
  const bootId = options.bootId ?? (await readBootId());
  const find = programFinder(root, options.env['PATH']);
  return {
    root,
    files: openFiles(root, options, () => bootId),
    revision: openRevisions(root, options, find),
    processes: openProcesses(options, find, bootId),
  };
}

function realRoot(path: string): string {
  try {
    const root = realpathSync.native(path);
    if (statSync(root).isDirectory()) return root;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  throw new WorkspaceError('missing', `The workspace ${path} is not an existing folder.`);
}
