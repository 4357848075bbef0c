import type { PathProblem, ResolvedPath, Workspace } from '#workspace';
import { workspacePath } from './workspace-path.ts';

/**
 * What a call touches by the paths of its arguments: each as it is written and, where a link leads elsewhere, as it
 * really is. Calls that name one file in two ways so share a path, and a rule for either name meets the call.
 */
export async function touchedPaths(
  workspace: Pick<Workspace, 'root' | 'files'>,
  texts: readonly string[],
): Promise<readonly string[]> {
  const touched = new Set<string>();
  for (const text of texts) {
    const found = await workspace.files.resolve(text === '' ? '.' : text);
    for (const path of touchedBy(workspace.root, text, found)) touched.add(path);
  }
  return [...touched];
}

/** The same of one path that was looked at already. */
export function touchedBy(root: string, text: string, found: ResolvedPath | PathProblem): readonly string[] {
  const named = workspacePath(root, text);
  return 'code' in found || found.path === named ? [named] : [named, found.path];
}
