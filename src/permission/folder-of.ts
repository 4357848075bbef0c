import type { PermissionCall, PermissionContext } from './contract.ts';
import { placeOf } from './paths/place-of.ts';
import type { Analysis } from './shell/analysis.ts';

/** The folder in which the command of a call starts, as the call or an earlier one named it; `.` is the workspace. */
export function folderOf({ tool, args }: PermissionCall, context: PermissionContext): string {
  if (tool !== 'Bash') return '.';
  const named =
    args !== null && typeof args === 'object' && !Array.isArray(args) ? (args as { cwd?: unknown }).cwd : null;
  return typeof named === 'string' ? named : (context.cwd ?? '.');
}

/**
 * The analysis of a text that starts in a folder. It must be right there and in the workspace itself, because a folder
 * that is gone by then is given up for the workspace.
 */
export function startedIn(analysis: Analysis, folder: string, workspace: string): Analysis {
  if (folder === '.') return analysis;
  const below = analysis.folders.map((one) =>
    one.startsWith('/') || one === '.' ? (one === '.' ? folder : one) : `${folder}/${one}`,
  );
  const folders = [...new Set([...analysis.folders, ...below])];
  const isInside = placeOf('.', folder, workspace) !== null;
  return {
    ...analysis,
    folders,
    doubts: isInside ? analysis.doubts : [...analysis.doubts, 'it starts outside the workspace'],
  };
}
