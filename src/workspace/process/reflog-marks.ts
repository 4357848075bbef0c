/**
 * What a command did to repositories, as the logs of their refs tell it: each line that names the action. Looked at are
 * the repository that the folder lies in and those below it, their branches and their other working trees.
 */
import { type Dirent, readdirSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { readRegular } from '../files/read-regular.ts';
import { gitDirOf } from '../revision/git-index.ts';

const MARKS_MAX = 20;
const BYTES_MAX = 256 * 1024 * 1024;
/** Of a tree that has more folders, the rest is not looked through for repositories. */
const FOLDERS_MAX = 20_000;
const LOGS_MAX = 2_000;
const NAME_BYTES_MAX = 64 * 1024;

interface Mark {
  readonly seconds: number;
  /** `<new commit> <what>`. */
  readonly text: string;
}

/** Moves of refs that the command of an action made, newest last: `[where: ]<new commit> <what>`. */
export function reflogMarks(cwd: string, actionId: string): readonly string[] {
  const found: Mark[] = [];
  for (const { gitDir, place } of repositoriesAt(cwd)) {
    const known = new Set<string>();
    for (const { file, name } of logsOf(gitDir)) {
      for (const { seconds, text } of marksIn(file, actionId)) {
        // A commit moves HEAD and its branch: it is told once.
        if (known.has(text)) continue;
        known.add(text);
        const where = [place, name].filter((one) => one !== '').join(', ');
        found.push({ seconds, text: where === '' ? text : `${where}: ${text}` });
      }
    }
  }
  return found
    .sort((a, b) => a.seconds - b.seconds)
    .slice(-MARKS_MAX)
    .map(({ text }) => text);
}

function marksIn(file: string, actionId: string): readonly Mark[] {
  try {
    return (readRegular(file, BYTES_MAX)?.toString('utf8') ?? '')
      .split('\n')
      .filter((line) => line.includes(`\tbelay/${actionId}`))
      .map((line) => {
        const [who = '', what = ''] = [line.slice(0, line.indexOf('\t')), line.slice(line.indexOf('\t') + 1)];
        return { seconds: Number(who.split(' ').at(-2)), text: `${line.split(' ')[1]?.slice(0, 12)} ${what}` };
      });
  } catch {
    return [];
  }
}

/** HEAD first, then that of the other working trees, then the branches; the main working tree has no name. */
function logsOf(gitDir: string): readonly { readonly file: string; readonly name: string }[] {
  const common = commonDirOf(gitDir);
  const logs = [{ file: join(gitDir, 'logs', 'HEAD'), name: '' }];
  if (common !== gitDir) logs.push({ file: join(common, 'logs', 'HEAD'), name: 'main worktree' });
  for (const { name } of entriesOf(join(common, 'worktrees'))) {
    const own = join(common, 'worktrees', name);
    if (own !== gitDir) logs.push({ file: join(own, 'logs', 'HEAD'), name: `worktree ${name}` });
  }
  const heads = join(common, 'logs', 'refs', 'heads');
  const open = [heads];
  for (let folder = open.pop(); folder !== undefined && logs.length < LOGS_MAX; folder = open.pop()) {
    for (const entry of entriesOf(folder)) {
      const file = join(folder, entry.name);
      if (entry.isDirectory()) open.push(file);
      else logs.push({ file, name: `branch ${relative(heads, file)}` });
    }
  }
  return logs;
}

/** What working trees of one repository share. */
function commonDirOf(gitDir: string): string {
  try {
    const named = readRegular(join(gitDir, 'commondir'), NAME_BYTES_MAX)?.toString('utf8').trim() ?? '';
    return named === '' ? gitDir : join(gitDir, named);
  } catch {
    return gitDir;
  }
}

/** `place`: where it lies below the folder; empty for the one that the folder lies in. */
function repositoriesAt(cwd: string): readonly { readonly gitDir: string; readonly place: string }[] {
  const above = nearestGitDir(cwd);
  const found = above === null ? [] : [{ gitDir: above, place: '' }];
  const open = [cwd];
  for (let n = 0, folder = open.pop(); folder !== undefined && n < FOLDERS_MAX; n++, folder = open.pop()) {
    for (const entry of entriesOf(folder)) {
      if (!entry.isDirectory() || entry.name === '.git') continue;
      const below = join(folder, entry.name);
      const gitDir = gitDirOf(below);
      if (gitDir !== null) found.push({ gitDir, place: relative(cwd, below) });
      // Dependencies are many, and seldom anybody's work.
      if (basename(below) !== 'node_modules') open.push(below);
    }
  }
  return found;
}

function nearestGitDir(folder: string): string | null {
  return gitDirOf(folder) ?? (folder === dirname(folder) ? null : nearestGitDir(dirname(folder)));
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
