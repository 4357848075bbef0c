import type { Workspace } from '#workspace';
import { type RipgrepRun, runRipgrep } from './run-ripgrep.ts';
import { plainPath, type SearchScope } from './search-scope.ts';

/** Bytes of paths that one list may have. */
const listBytesMax = 32 * 1024 * 1024;

export type FileList =
  | { readonly ok: true; readonly paths: readonly string[]; readonly truncated: boolean }
  | Extract<RipgrepRun, { ok: false }>;

/** The files that a scope means, in no order: no ignored ones, nothing of git's own data, no links. */
export async function listFiles(
  workspace: Workspace,
  scope: Extract<SearchScope, { ok: true }>,
  signal: AbortSignal,
): Promise<FileList> {
  const call = [...scope.narrowing, '--files', '--null', '--', scope.path];
  const run = await runRipgrep(workspace, call, signal, listBytesMax);
  if (!run.ok) return run;
  const names = run.stdout.split('\0');
  // What stands behind the last NUL is nothing, or a name that was cut.
  names.pop();
  const paths: string[] = [];
  for (const name of names) {
    const path = plainPath(name);
    if (scope.matches(path)) paths.push(path);
  }
  return { ok: true, paths, truncated: run.truncated };
}
