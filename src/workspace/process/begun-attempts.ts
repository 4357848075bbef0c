import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BegunAttempt } from '#kernel';
import { readClaim } from '../claim.ts';
import { readTree } from './exec-folder.ts';
import { commandProcesses, taggedTree } from './process-table.ts';

/** Attempts whose folders lie in this one and whose effect has begun, as their claims say, in whatever boot. */
export function begunAttempts(folder: string): readonly BegunAttempt[] {
  return foldersIn(folder).flatMap((attemptId) => {
    const runs = runsOf(folder, attemptId);
    if (!runs.some(({ place }) => readClaim(place).kind === 'taken')) return [];
    const trees = runs.map(({ tag, place }) => readTree(place) ?? taggedTree(tag));
    return [{ attemptId, pids: commandProcesses(trees).map(({ pid }) => pid) }];
  });
}

/** By these names the processes of all attempts can be found whose folders lie in this one. */
export const attemptTags = (folder: string): readonly string[] =>
  foldersIn(folder).flatMap((attemptId) => runsOf(folder, attemptId).map(({ tag }) => tag));

/** A second check has a folder of its own in that of the first one. */
function runsOf(folder: string, attemptId: string): readonly { readonly tag: string; readonly place: string }[] {
  const own = join(folder, attemptId);
  const more = foldersIn(own).map((name) => ({ tag: `${attemptId}.${name}`, place: join(own, name) }));
  return [{ tag: attemptId, place: own }, ...more];
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
