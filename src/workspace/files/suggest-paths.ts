/**
 * Existing files that somebody may have meant. A suggestion is only ever shown: nothing is opened in its place.
 */
import { type Dirent, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

/** Enough for a usual repository, and a bound for a huge one. */
const ENTRIES_MAX = 20_000;
const SKIPPED = new Set(['.git', 'node_modules', '__pycache__', '.venv', 'venv', 'dist', 'build', 'target']);

/** `wanted` is relative to `root` or absolute; the answer is relative to `root`, best first. */
export function suggestPaths(root: string, wanted: string, max: number): readonly string[] {
  const goal = normalise(relative(root, join('/', wanted).startsWith(root) ? wanted : join(root, wanted)));
  return walk(root)
    .map((path) => ({ path, score: closeness(goal, normalise(path)) }))
    .filter(({ score }) => score > 0.45)
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, max)
    .map(({ path }) => path);
}

/** Breadth first, so that a bound cuts the deepest files and not the last folders. */
function walk(root: string): string[] {
  const files: string[] = [];
  const folders = [root];
  for (let i = 0; i < folders.length && files.length < ENTRIES_MAX; i++) {
    const folder = folders[i] as string;
    for (const entry of entriesOf(folder)) {
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) folders.push(join(folder, entry.name));
      } else files.push(relative(root, join(folder, entry.name)).split(sep).join('/'));
    }
  }
  return files;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Case, kinds of blanks and the two ways to write an accented letter are what people and models mix up most. */
function normalise(path: string): string {
  return path.normalize('NFC').replace(/\s/gu, ' ').toLowerCase();
}

/** 1 for equal texts; the file name counts more than its folder. */
function closeness(goal: string, path: string): number {
  if (goal === path) return 1;
  const goalName = nameOf(goal);
  const pathName = nameOf(path);
  const name = goalName === pathName ? 1 : similarity(goalName, pathName);
  if (name < 0.5) return 0;
  return 0.8 * name + 0.19 * similarity(folderOf(goal), folderOf(path));
}

/** Share of common letter pairs (Dice): fast, and kind to a missing, doubled or swapped letter. */
function similarity(a: string, b: string): number {
  if (a === b) return 1;
  const pairs = new Map<string, number>();
  for (let i = 0; i + 1 < a.length; i++) {
    const pair = a.slice(i, i + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let common = 0;
  for (let i = 0; i + 1 < b.length; i++) {
    const left = pairs.get(b.slice(i, i + 2)) ?? 0;
    if (left === 0) continue;
    pairs.set(b.slice(i, i + 2), left - 1);
    common++;
  }
  const total = Math.max(a.length - 1, 0) + Math.max(b.length - 1, 0);
  return total === 0 ? 0 : (2 * common) / total;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
