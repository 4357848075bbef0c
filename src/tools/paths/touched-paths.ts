import type { Workspace } from '#workspace';
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
    touched.add(workspacePath(workspace.root, text));
    const found = text.includes('\0') ? null : await workspace.files.resolve(text === '' ? '.' : text);
    if (found !== null && !('code' in found)) touched.add(found.path);
  }
  return [...touched];
}
