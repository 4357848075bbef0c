import type { Processes } from '../contract.ts';

/** Path of the ripgrep that Belay ships, else of one on the search path outside the workspace, else null. */
export async function ripgrepProgram(processes: Pick<Processes, 'program'>): Promise<string | null> {
  try {
    // The package finds its binary when it is loaded, and throws where there is none for this platform.
    return (await import('@vscode/ripgrep')).rgPath;
  } catch {
    return processes.program('rg');
  }
}
