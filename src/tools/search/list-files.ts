import type { Workspace } from '#workspace';
import { type RipgrepRun, runRipgrep } from './run-ripgrep.ts';
import { plainPath, type SearchScope } from './search-scope.ts';

/** Bytes of paths that one list may have. */
const listBytesMax = 32 * 1024 * 1024;

export type Listed =
  | { readonly ok: true; readonly truncated: boolean; readonly notes: readonly string[] }
  | Extract<RipgrepRun, { ok: false }>;
type Scope = Extract<SearchScope, { ok: true }>;

/**
 * Tells of the files that a scope means, in no order, as they are found: no ignored ones, nothing of git's own data, no
 * links. `take` returns what to do with a path; where a long list is begun again in order, a new one is asked for.
 */
export async function eachFile(
  workspace: Workspace,
  scope: Scope,
  signal: AbortSignal,
  take: () => (path: string) => void,
): Promise<Listed> {
  // Without a path ripgrep lists where it stands, and no name begins with `./`.
  const where = scope.path === '.' ? [] : ['--', scope.path];
  const call = [...scope.narrowing, '--files', '--null', ...where];
  const run = await runRipgrep(workspace, call, signal, listBytesMax, () => readNames(scope, take()));
  return run.ok ? { ok: true, truncated: run.truncated, notes: run.notes } : run;
}

export type FileList =
  | (Extract<Listed, { ok: true }> & { readonly paths: readonly string[] })
  | Extract<RipgrepRun, { ok: false }>;

export async function listFiles(workspace: Workspace, scope: Scope, signal: AbortSignal): Promise<FileList> {
  let paths: string[] = [];
  const listed = await eachFile(workspace, scope, signal, () => {
    paths = [];
    return (path) => void paths.push(path);
  });
  return listed.ok ? { ...listed, paths } : listed;
}

/** Names end with NUL; one that was cut at the end of all output is none. */
function readNames(scope: Scope, take: (path: string) => void): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder('utf-8');
  let begun = '';
  return (chunk) => {
    const names = (begun + decoder.decode(chunk, { stream: true })).split('\0');
    begun = names.pop() ?? '';
    for (const name of names) {
      const path = plainPath(name);
      if (scope.matches(path)) take(path);
    }
  };
}
