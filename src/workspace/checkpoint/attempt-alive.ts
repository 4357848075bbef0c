import { readTree } from '../process/exec-folder.ts';
import { anyAlive } from '../process/process-table.ts';

/** Whether anything of a command's attempt still runs. Nothing is touched. */
export function isAttemptAlive(execFolder: string): boolean {
  const tree = readTree(execFolder);
  return tree !== null && anyAlive(tree);
}
