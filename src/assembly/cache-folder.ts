import path from 'node:path';
import { dataHome } from './data-home.ts';

/**
 * Where compiled code is kept; null: nowhere. It lies beside the sessions and not in a folder for temporary files: what
 * lies there is run, so nobody else may write there, and no command in the sandbox.
 */
export function cacheFolder(): string | null {
  const { env } = process;
  if ((env['NODE_DISABLE_COMPILE_CACHE'] ?? '') !== '') return null;
  return path.join(dataHome(env, presentFolder()), 'code');
}

/** It may have been removed; a command that needs it says so. */
function presentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return path.sep;
  }
}
