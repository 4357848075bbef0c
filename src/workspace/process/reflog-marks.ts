import { dirname, join } from 'node:path';
import { readRegular } from '../files/read-regular.ts';
import { gitDirOf } from '../revision/git-index.ts';

const MARKS_MAX = 20;
const BYTES_MAX = 256 * 1024 * 1024;

/** Moves of HEAD that the command of an action made, newest last, from the log file itself: `<new commit> <what>`. */
export function reflogMarks(cwd: string, actionId: string): readonly string[] {
  const gitDir = nearestGitDir(cwd);
  if (gitDir === null) return [];
  try {
    return (readRegular(join(gitDir, 'logs', 'HEAD'), BYTES_MAX)?.toString('utf8') ?? '')
      .split('\n')
      .filter((line) => line.includes(`\tbelay/${actionId}`))
      .slice(-MARKS_MAX)
      .map((line) => `${line.split(' ')[1]?.slice(0, 12)} ${line.slice(line.indexOf('\t') + 1)}`);
  } catch {
    return [];
  }
}

function nearestGitDir(folder: string): string | null {
  return gitDirOf(folder) ?? (folder === dirname(folder) ? null : nearestGitDir(dirname(folder)));
}
